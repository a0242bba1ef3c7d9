// Accepts any shortest way through the maze: validate input answer feedback/ < output
//
// The input and the answer are the jury's; a fault in them ends the validator with exit code 1, a judging error.
// The output is anybody's: nothing of it is believed, and nothing of it reaches the message but numbers.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr int kAccept = 42;
constexpr int kReject = 43;
constexpr int kJuryFault = 1;

std::string feedback;

[[noreturn]] void finish(int code, const std::string &message) {
    std::ofstream out(feedback + "judgemessage.txt");
    out << message << '\n';
    out.close();
    std::_Exit(out ? code : kJuryFault);
}

struct Maze {
    std::vector<std::string> rows;
    int row = -1, column = -1;  // where the professor is

    explicit Maze(std::istream &in) {
        std::size_t height = 0, width = 0;
        in >> height >> width;
        if (!in || height < 1 || height > 100) finish(kJuryFault, "the input has no size");
        rows.resize(height);
        for (std::size_t i = 0; i < height; i++) {
            if (!(in >> rows[i]) || rows[i].size() != width) finish(kJuryFault, "the input has a bad row");
            const std::size_t at = rows[i].find('P');
            if (at == std::string::npos) continue;
            row = static_cast<int>(i);
            column = static_cast<int>(at);
        }
        if (row < 0) finish(kJuryFault, "the input has no professor");
    }

    bool step(char letter) {
        switch (letter) {
            case 'N': row--; break;
            case 'S': row++; break;
            case 'W': column--; break;
            case 'E': column++; break;
            default: return false;
        }
        return row >= 0 && row < static_cast<int>(rows.size()) && column >= 0 &&
               column < static_cast<int>(rows[0].size()) && rows[row][column] != '#';
    }

    bool at_tea() const { return rows[row][column] == 'T'; }
};

// Reads the only word of the output. No honest one is longer than the garden has cells.
std::string read_word() {
    constexpr std::size_t kLongest = 100 * 100;
    std::string word;
    bool ended = false;
    for (int c; (c = std::cin.get()) != EOF;) {
        if (c == ' ' || (c >= '\t' && c <= '\r')) {
            ended = !word.empty();
            continue;
        }
        if (ended) finish(kReject, "more than one word");
        if (word.size() == kLongest) finish(kReject, "a word longer than any way");
        word.push_back(static_cast<char>(c));
    }
    if (word.empty()) finish(kReject, "no output");
    return word;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 4) return kJuryFault;
    feedback = argv[3];
    std::ifstream input(argv[1]), answer(argv[2]);
    Maze maze(input);
    std::string best;
    if (!(answer >> best)) finish(kJuryFault, "the answer is empty");

    const std::string way = read_word();
    if (way == "impossible") {
        if (best == "impossible") finish(kAccept, "there is none indeed");
        finish(kReject, "there is a way of " + std::to_string(best.size()) + " steps");
    }
    for (std::size_t i = 0; i < way.size(); i++) {
        if (!maze.step(way[i])) finish(kReject, "step " + std::to_string(i + 1) + " cannot be taken");
    }
    if (!maze.at_tea()) finish(kReject, "the way does not end at the tea");
    if (best == "impossible" || way.size() < best.size()) finish(kJuryFault, "better than the jury's answer");
    if (way.size() > best.size()) {
        finish(kReject, std::to_string(way.size()) + " steps where " + std::to_string(best.size()) + " will do");
    }
    finish(kAccept, std::to_string(way.size()) + " steps");
}
