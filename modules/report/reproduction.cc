#include "report/reproduction.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/text.h"
#include "report/html.h"

namespace flyscribe {
namespace {

using Check = ReproductionCheck;

const char* StateText(Check::State state) { return state == Check::State::kHeld ? "held" : "failed"; }

// "Table 1" -> "table-1".
std::string Anchor(const std::string& name) {
  std::string anchor = ToLower(name);
  std::ranges::replace(anchor, ' ', '-');
  return anchor;
}

// What has digits first stands to the right.
bool LooksLikeNumber(const std::string& cell) {
  if (cell == "-") return true;  // none
  const std::size_t first = cell.find_first_not_of("+-");
  return first != std::string::npos && cell[first] >= '0' && cell[first] <= '9';
}

Html TableHtml(const ReproductionTable& table) {
  Html rows;
  for (const std::vector<std::string>& row : table.rows) {
    FLYSCRIBE_CHECK(row.size() == table.header.size(), "a row of '" + table.caption + "' is not as long as its header");
    Html cells;
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells += i > 0 && LooksLikeNumber(row[i]) ? NumberCell(row[i]) : Cell(row[i]);
    }
    rows += Element("tr", cells);
  }
  Html html = Element("h3", Text(table.caption)) + TableElement(table.caption, table.header, rows);
  if (!table.note.empty()) html += Note(table.note);
  return html;
}

Html Figure(const std::string& title, const Html& picture, const std::vector<LegendEntry>& legend) {
  return Element("figure", {{"class", "curves"}}, Element("figcaption", Text(title)) + picture + Legend(legend));
}

Html ChartHtml(const LineChart& chart) {
  std::vector<LegendEntry> legend;
  for (const Series& series : chart.series) legend.push_back({series.style, series.name, ""});
  return Figure(chart.title, LineChartSvg(chart), legend);
}

Html BarsHtml(const GroupedBars& chart) {
  std::vector<LegendEntry> legend;
  for (std::size_t i = 0; i < chart.members.size(); ++i) legend.push_back({SeriesStyle(i), chart.members[i], ""});
  return Figure(chart.title, GroupedBarsSvg(chart), legend);
}

Html ChecksHtml(const std::vector<Check>& checks, const std::string& caption) {
  if (checks.empty()) return {};
  Html rows;
  for (const Check& check : checks) {
    const std::string look = check.state == Check::State::kHeld ? "up" : "down";
    rows += Element("tr",
                    Element("td", {{"class", look}}, Element("b", Text(StateText(check.state)))) + Cell(check.claim) +
                        Cell(check.numbers));
  }
  return TableElement(caption, {"State", "Check", "Numbers"}, rows);
}

Html ListHtml(const std::string& heading, const std::vector<std::string>& items) {
  if (items.empty()) return {};
  Html list;
  for (const std::string& item : items) list += Element("li", Text(item));
  return Element("h3", Text(heading)) + Element("ul", {{"class", "works"}}, list);
}

Html PartHtml(const ReproductionPart& part) {
  Html html = Element("h2", {{"id", Anchor(part.name)}, {"class", "range"}}, Text(part.name + ": " + part.title));
  for (const std::string& text : part.text) html += Element("p", Text(text));
  if (!part.checks.empty()) {
    html += Element("h3", Text("Checks")) + ChecksHtml(part.checks, "Checks of " + part.name);
  }
  Html figures;
  for (const LineChart& chart : part.charts) figures += ChartHtml(chart);
  for (const GroupedBars& chart : part.bars) figures += BarsHtml(chart);
  if (!figures.empty()) html += Element("div", {{"class", "charts"}}, figures);
  for (const ReproductionTable& table : part.tables) html += TableHtml(table);
  html += ListHtml("Agrees", part.agrees) + ListHtml("Does not agree", part.differs);
  return Element("section", html + ListHtml("Cannot be compared", part.incomparable));
}

std::string Verdict(const Reproduction& reproduction) {
  const std::size_t all = reproduction.Checks().size();
  const std::size_t failed = reproduction.Failed();
  return fmt::format("{} of {} held{}.",
                     all - failed,
                     Counted(all, "check", "checks"),
                     failed > 0 ? fmt::format("; {} failed", failed) : "");
}

// Markdown: characters that would be taken for markup.
std::string Plain(const std::string& text) {
  std::string plain;
  for (const char c : text) {
    if (std::string_view("|*_`<>\\[]").find(c) != std::string_view::npos) plain += '\\';
    plain += c == '\n' ? ' ' : c;
  }
  return plain;
}

std::string MarkdownRow(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + Plain(cell) + " |";
  return row + "\n";
}

std::string MarkdownTable(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows) {
  std::string text = MarkdownRow(header) + "|";
  for (std::size_t i = 0; i < header.size(); ++i) text += i == 0 ? "---|" : "---:|";
  text += "\n";
  for (const std::vector<std::string>& row : rows) text += MarkdownRow(row);
  return text + "\n";
}

std::string MarkdownChecks(const std::vector<Check>& checks) {
  std::string text;
  for (const Check& check : checks) {
    text +=
        std::string("- **") + StateText(check.state) + "**: " + Plain(check.claim) + ": " + Plain(check.numbers) + "\n";
  }
  return text.empty() ? text : text + "\n";
}

std::string MarkdownList(const std::string& heading, const std::vector<std::string>& items) {
  if (items.empty()) return {};
  std::string text = heading + "\n\n";
  for (const std::string& item : items) text += "- " + Plain(item) + "\n";
  return text + "\n";
}

std::string MarkdownPart(const ReproductionPart& part) {
  std::string text = "## " + Plain(part.name) + ": " + Plain(part.title) + "\n\n";
  for (const std::string& paragraph : part.text) text += Plain(paragraph) + "\n\n";
  text += MarkdownChecks(part.checks);
  for (const ReproductionTable& table : part.tables) {
    text += "**" + Plain(table.caption) + "**\n\n" + MarkdownTable(table.header, table.rows);
    if (!table.note.empty()) text += Plain(table.note) + "\n\n";
  }
  std::vector<std::string> figures;
  for (const LineChart& chart : part.charts) figures.push_back(chart.title + ": " + chart.description);
  for (const GroupedBars& chart : part.bars) figures.push_back(chart.title + ": " + chart.description);
  text += MarkdownList("Figures on the HTML page:", figures);
  text += MarkdownList("Agrees:", part.agrees) + MarkdownList("Does not agree:", part.differs);
  return text + MarkdownList("Cannot be compared:", part.incomparable);
}

// Where the bars of a chart stand.
class BarPlot {
 public:
  explicit BarPlot(const GroupedBars& chart)
      : chart_(chart),
        group_width_((kWidth - kLeft) / static_cast<double>(std::max<std::size_t>(1, chart.groups.size()))),
        bar_width_(group_width_ * (1.0 - kGap) / static_cast<double>(std::max<std::size_t>(1, chart.members.size()))) {}

  // Grid, ticks and the names of the groups.
  Html Axes() const {
    Html axes;
    for (const double tick : chart_.y.ticks) {
      axes += SvgLine("grid", kLeft, Y(tick), kWidth, Y(tick));
      axes += SvgText(kLeft - 7, Y(tick) + 4, "end", Number(tick, chart_.y.digits));
    }
    for (std::size_t group = 0; group < chart_.groups.size(); ++group) {
      axes += SvgText(Start(group) + group_width_ * (1.0 - kGap) / 2, kHeight - 10, "middle", chart_.groups[group]);
    }
    return axes;
  }

  Html BaseLine() const { return SvgLine("frame", kLeft, Y(chart_.y.min), kWidth, Y(chart_.y.min)); }

  // A thick line: it takes its colour from the style sheet as a curve does. And its interval, if it has one.
  Html Bar(std::size_t group, std::size_t member) const {
    const GroupedBar& bar = chart_.bars[group][member];
    if (!bar.value) return {};
    const std::string x = Coordinate(Start(group) + bar_width_ * (static_cast<double>(member) + 0.5));
    const std::string name = chart_.groups[group] + ", " + chart_.members[member] + ": " + Number(*bar.value, 3);
    const Html line = Element("path",
                              {{"d", "M" + x + " " + Coordinate(Y(chart_.y.min)) + "V" + Coordinate(Y(*bar.value))},
                               {"style", "stroke-dasharray:none;stroke-width:" + Coordinate(bar_width_ * 0.85)}});
    const std::string style = SeriesStyle(member);
    Html drawn =
        Element("g", {{"class", "series " + style}, {"data-series", style}}, Element("title", Text(name)) + line);
    if (bar.low > bar.high) return drawn;
    return drawn +
           Element("path",
                   {{"class", "frame"}, {"d", "M" + x + " " + Coordinate(Y(bar.low)) + "V" + Coordinate(Y(bar.high))}});
  }

 private:
  static constexpr double kWidth = 560.0;
  static constexpr double kHeight = 320.0;
  static constexpr double kLeft = 50.0;
  static constexpr double kTop = 10.0;
  static constexpr double kBottom = 30.0;
  static constexpr double kGap = 0.25;  // of a group's width, left empty

  double Y(double value) const {
    const double length = chart_.y.max > chart_.y.min ? chart_.y.max - chart_.y.min : 1.0;
    const double share = std::clamp((value - chart_.y.min) / length, 0.0, 1.0);
    return kTop + (kHeight - kTop - kBottom) * (1.0 - share);
  }
  double Start(std::size_t group) const { return kLeft + group_width_ * (static_cast<double>(group) + kGap / 2); }

  const GroupedBars& chart_;
  double group_width_;
  double bar_width_;
};

}  // namespace

std::vector<ReproductionCheck> Reproduction::Checks() const {
  std::vector<ReproductionCheck> checks;
  for (const ReproductionPart& part : parts) {
    for (ReproductionCheck check : part.checks) {
      check.claim = part.name + ": " + check.claim;
      checks.push_back(std::move(check));
    }
  }
  return checks;
}

std::size_t Reproduction::Failed() const {
  const std::vector<ReproductionCheck> checks = Checks();
  return static_cast<std::size_t>(std::ranges::count(checks, Check::State::kFailed, &Check::state));
}

Html GroupedBarsSvg(const GroupedBars& chart) {
  const BarPlot plot(chart);
  Html content = plot.Axes();
  for (std::size_t group = 0; group < chart.groups.size(); ++group) {
    for (std::size_t member = 0; member < chart.bars[group].size(); ++member) content += plot.Bar(group, member);
  }
  content += plot.BaseLine();
  return Element("svg",
                 {{"class", "chart"}, {"viewBox", "0 0 560 320"}, {"role", "img"}, {"aria-label", chart.title}},
                 Element("title", Text(chart.title)) + Element("desc", Text(chart.description)) + content);
}

std::string RenderReproductionHtml(const Reproduction& reproduction) {
  Html main = Masthead(reproduction.title);
  for (const std::string& text : reproduction.lead) main += Lead(text);
  main += FactList(reproduction.facts);
  main += Element("h2", Text("Checks")) + Element("p", Text(Verdict(reproduction)));
  main += ChecksHtml(reproduction.Checks(), "All checks");
  main += ListHtml("How it was measured", reproduction.fairness);
  Html items;
  for (const ReproductionPart& part : reproduction.parts) {
    main += PartHtml(part);
    items += Element("li", Link("#" + Anchor(part.name), part.name));
  }
  const Html navigation = Element("nav", Element("ul", items));
  return RenderPage(reproduction.title, Element("body", navigation + Element("main", main)));
}

std::string RenderReproductionMarkdown(const Reproduction& reproduction) {
  std::string text = "# " + Plain(reproduction.title) + "\n\n";
  for (const std::string& paragraph : reproduction.lead) text += Plain(paragraph) + "\n\n";
  std::vector<std::vector<std::string>> facts;
  for (const auto& [name, value] : reproduction.facts) facts.push_back({name, value});
  text += MarkdownTable({"", ""}, facts);
  text += "## Checks\n\n" + Verdict(reproduction) + "\n\n" + MarkdownChecks(reproduction.Checks());
  text += MarkdownList("## How it was measured", reproduction.fairness);
  for (const ReproductionPart& part : reproduction.parts) text += MarkdownPart(part);
  return text;
}

}  // namespace flyscribe
