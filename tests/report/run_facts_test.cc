#include "report/run_facts.h"

#include <gtest/gtest.h>

#include "tests/report/html_checker.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

RunFacts SomeFacts() {
  RunFacts facts;
  facts.version = "0.1.0";
  facts.command = "flyscribe run <x>.yaml";
  facts.wall_seconds = 200.0;
  facts.cpu_seconds = 400.0;
  facts.peak_memory_bytes = 1400000000;
  facts.cache_hits = 1;
  facts.cache_misses = 2;
  facts.threads = 2;
  facts.steps = {
      {"4-6", "all", "ingest", true, 1.0}, {"4-6", "all", "learn", false, 30.0}, {"7-8", "all", "learn", false, 10.0}};
  return facts;
}

TEST(InsertRunFacts, ReplacesThePlaceAndNothingElse) {
  const std::string page = InsertRunFacts("<div>before" + RunFactsPlace().str() + "after</div>", SomeFacts());
  EXPECT_EQ(page.substr(0, 11), "<div>before");
  EXPECT_EQ(page.substr(page.size() - 11), "after</div>");
  EXPECT_EQ(page.find("not recorded"), std::string::npos);
  EXPECT_EQ(MarkupProblem(page), "");
}

TEST(InsertRunFacts, ShowsTotalsAndSteps) {
  const std::string page = InsertRunFacts(RunFactsPlace().str(), SomeFacts());
  EXPECT_NE(page.find("<b>3 min 20 s</b><span>wall time</span><small>2 threads</small>"), std::string::npos) << page;
  EXPECT_NE(page.find("<b>1.4 GB</b>"), std::string::npos);
  EXPECT_NE(page.find("<b>1 / 3</b><span>steps from the cache</span><small>2 steps computed</small>"),
            std::string::npos);
  EXPECT_NE(page.find("<code>flyscribe run &lt;x&gt;.yaml</code>"), std::string::npos);
  EXPECT_NE(page.find("<td>4-6</td><td>all</td><td>ingest</td><td>cache</td><td class=\"n\">1.0 s</td>"),
            std::string::npos);
  // One bar for both learn steps: 40 s, the longest, is 500 of 720 pixels wide; ingest is 1/40 of it, from the cache.
  EXPECT_NE(page.find("<rect class=\"fresh\" x=\"110\" y=\"34\" width=\"500\""), std::string::npos) << page;
  EXPECT_NE(page.find("<rect class=\"cached\" x=\"110\" y=\"6\" width=\"12.5\""), std::string::npos) << page;
  EXPECT_NE(page.find(">40 s</text>"), std::string::npos);
}

TEST(InsertRunFacts, WithoutStepsHasNoChart) {
  const std::string page = InsertRunFacts(RunFactsPlace().str(), RunFacts{});
  EXPECT_EQ(page.find("<svg"), std::string::npos);
  EXPECT_NE(page.find("1 thread<"), std::string::npos);
}

TEST(InsertRunFacts, DrawsTheGraphAboveTheTimes) {
  RunFacts facts = SomeFacts();
  facts.graph = {{"4-6", "all", "ingest", "hit", "1.0 s", {}}, {"4-6", "fold-0", "learn", "run", "30 s", {0}}};
  const std::string page = InsertRunFacts(RunFactsPlace().str(), facts);
  EXPECT_EQ(CountOf(page, "<svg class=\"graph\""), 1U);
  EXPECT_NE(page.find("<title>learn 4-6 fold-0: run, 30 s</title>"), std::string::npos) << page;
  EXPECT_LT(page.find("class=\"graph\""), page.find("aria-label=\"Time per step\""));
  EXPECT_EQ(MarkupProblem(page), "");
  EXPECT_EQ(InsertRunFacts(RunFactsPlace().str(), SomeFacts()).find("class=\"graph\""), std::string::npos);
}

TEST(InsertRunFacts, RefusesAPageWithoutThePlace) {
  const std::string once = InsertRunFacts(RunFactsPlace().str(), SomeFacts());
  for (const std::string& page : {std::string(), std::string("<html></html>"), once}) {
    const CaughtError error = ExpectError([&] { InsertRunFacts(page, SomeFacts()); });
    EXPECT_EQ(error.code, ErrorCode::kInternal);
    EXPECT_NE(error.text.find("the report page has no place for the facts of the run"), std::string::npos);
    EXPECT_NE(error.text.find("hint: render the page again"), std::string::npos);
  }
}

}  // namespace
}  // namespace flyscribe
