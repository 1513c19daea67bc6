// The numbers the paper reports, to be put beside those measured here.
//
// Source: Lin, Li, Sun, Lai, Davidson, Fan, Ye: Stochastic Coordinate Coding and Its Application for Drosophila Gene
// Expression Pattern Annotation, 2014, arXiv:1407.8147: its section on data and Tables 1 and 2. Its figures show curves
// and bars without numbers, so there is nothing of them to list. It writes the last stage range 13-17; the data of
// BDGP calls it 13-16, and so does this program.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace flyscribe {

// The ranges the paper's experiments are about, in its order.
const std::vector<std::string>& PublishedRanges();
// How many patches it kept of a range; 0 for a range it left out.
std::size_t PublishedPatches(const std::string& range);
inline constexpr int kPublishedEpochs = 10;
// "mini-batch OL is about 3-4 times faster than SCC": at least so many times.
inline constexpr double kPublishedLossLow = 3.0;

// A cell of Table 1.
struct PublishedRun {
  double online_objective = 0.0;
  double scc_objective = 0.0;
  double online_hours = 0.0;
  double scc_hours = 0.0;

  double SccExcess() const { return scc_objective / online_objective - 1.0; }
  double Speedup() const { return online_hours / scc_hours; }
};
std::optional<PublishedRun> PublishedTable1(int atoms, const std::string& range);

// A column of Table 2, in hours.
struct PublishedSplit {
  double codes = 0.0;
  double dictionary = 0.0;

  double Total() const { return codes + dictionary; }
};
std::optional<PublishedSplit> PublishedOnlineSplit(int atoms);
std::optional<PublishedSplit> PublishedSccSplit(int atoms);

// Microseconds of one visit of a patch that so many hours for the published number of epochs come to.
double PublishedMicroseconds(double hours, const std::string& range);

}  // namespace flyscribe
