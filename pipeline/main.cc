#include "pipeline/command.h"

int main(int argc, char** argv) { return flyscribe::RunProgram(argc, argv); }
