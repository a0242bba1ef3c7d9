// A test of the syntax tree, which is run while it is compiled.
import groovy.transform.ASTTest
import org.codehaus.groovy.control.CompilePhase

class Main {
    @ASTTest(phase = CompilePhase.SEMANTIC_ANALYSIS, value = { while (true) { } })
    static void main(String[] args) { }
}
