import core.thread;

void main() {
    Thread.sleep(1.hours);
}
