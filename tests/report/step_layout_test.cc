#include "report/step_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/report/some_steps.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

StepGraphNode Node(const std::string& step, std::vector<std::size_t> inputs) {
  return {"4-6", "all", step, "run", "", std::move(inputs)};
}

// Whether a path of the edges leads from one node to another.
bool Leads(const std::vector<StepEdge>& edges, std::size_t from, std::size_t to) {
  return from == to || std::any_of(edges.begin(), edges.end(), [&](const StepEdge& edge) {
           return edge.from == from && Leads(edges, edge.to, to);
         });
}

const StepBox& BoxOf(const StepLayout& layout, std::size_t node) {
  return *std::find_if(layout.boxes.begin(), layout.boxes.end(), [&](const StepBox& box) {
    return std::count(box.nodes.begin(), box.nodes.end(), node) > 0;
  });
}

bool Overlap(const StepBox& a, const StepBox& b) {
  return std::abs(a.x - b.x) < kStepBoxWidth && std::abs(a.y - b.y) < kStepBoxHeight;
}

void ExpectRoomForAll(const StepLayout& layout) {
  for (std::size_t i = 0; i < layout.boxes.size(); ++i) {
    const StepBox& box = layout.boxes[i];
    EXPECT_GE(std::min(box.x, box.y), 0.0);
    EXPECT_LE(box.x + kStepBoxWidth, layout.width);
    EXPECT_LE(box.y + kStepBoxHeight, layout.height);
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(Overlap(box, layout.boxes[j])) << j << " and " << i;
  }
}

TEST(DirectEdges, LeavesOutWhatALongerPathSays) {
  const std::vector<StepGraphNode> nodes = {Node("a", {}), Node("b", {0}), Node("c", {1, 0}), Node("d", {0, 2, 1, 2})};
  EXPECT_EQ(DirectEdges(nodes), (std::vector<StepEdge>{{0, 1}, {1, 2}, {2, 3}}));
}

TEST(DirectEdges, KeepsBothSidesOfADiamondAndWhatStandsAlone) {
  const std::vector<StepGraphNode> nodes = {
      Node("a", {}), Node("b", {0}), Node("c", {0}), Node("d", {2, 1, 0}), Node("e", {})};
  EXPECT_EQ(DirectEdges(nodes), (std::vector<StepEdge>{{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
  EXPECT_TRUE(DirectEdges({}).empty());
}

TEST(DirectEdges, ReachTheSameAndNoneCanBeSpared) {
  const std::vector<StepGraphNode> nodes = SomeSteps({"4-6", "7-8"}, 2);
  std::vector<StepEdge> all;
  for (std::size_t to = 0; to < nodes.size(); ++to) {
    for (const std::size_t from : nodes[to].inputs) all.push_back({from, to});
  }
  const std::vector<StepEdge> direct = DirectEdges(nodes);
  EXPECT_LT(direct.size(), all.size());
  for (const StepEdge& edge : all) EXPECT_TRUE(Leads(direct, edge.from, edge.to)) << edge.from << " -> " << edge.to;
  for (const StepEdge& edge : direct) {
    std::vector<StepEdge> others = direct;
    std::erase(others, edge);
    EXPECT_FALSE(Leads(others, edge.from, edge.to)) << edge.from << " -> " << edge.to;
  }
}

TEST(DirectEdges, RefusesAnInputThatIsNotEarlier) {
  for (const std::size_t input : {1U, 2U, 9U}) {
    const std::vector<StepGraphNode> nodes = {Node("a", {}), Node("b", {input})};
    const CaughtError error = ExpectError([&] { DirectEdges(nodes); });
    EXPECT_EQ(error.code, ErrorCode::kInternal);
    EXPECT_NE(error.text.find("an input of a step in the graph is an earlier step"), std::string::npos) << error.text;
  }
}

TEST(LayOutSteps, PutsAChainOnOneLineFromLeftToRight) {
  const StepLayout layout = LayOutSteps(SomeSteps({"4-6"}, 1));
  ASSERT_EQ(layout.boxes.size(), 7U);
  for (std::size_t i = 1; i < layout.boxes.size(); ++i) {
    EXPECT_GT(layout.boxes[i].x, layout.boxes[i - 1].x + kStepBoxWidth);
    EXPECT_EQ(layout.boxes[i].y, layout.boxes[0].y);
  }
  EXPECT_EQ(layout.edges, (std::vector<StepEdge>{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}}));
  ASSERT_EQ(layout.bands.size(), 1U);
  EXPECT_EQ(layout.bands[0].range, "4-6");
  EXPECT_GT(layout.bands[0].x, layout.boxes[0].x + kStepBoxWidth) << "simulate is outside";
  EXPECT_LT(layout.bands[0].x + layout.bands[0].width, layout.boxes[6].x) << "report is outside";
  ExpectRoomForAll(layout);
}

TEST(LayOutSteps, StacksFewFoldsAndCentresTheOtherSteps) {
  const StepLayout layout = LayOutSteps(SomeSteps({"4-6"}, 5));
  ASSERT_EQ(layout.boxes.size(), 15U);
  const StepBox& normalise = BoxOf(layout, 2);
  EXPECT_EQ(BoxOf(layout, 7).x, BoxOf(layout, 3).x) << "learn of two folds";
  EXPECT_EQ(BoxOf(layout, 7).y, normalise.y) << "learn of the third of five folds";
  EXPECT_LT(BoxOf(layout, 3).y, BoxOf(layout, 5).y);
  EXPECT_EQ(BoxOf(layout, 3).y, BoxOf(layout, 4).y) << "learn and train of a fold share a lane";
  ExpectRoomForAll(layout);
}

TEST(LayOutSteps, GathersManyFoldsInOneBox) {
  const std::vector<StepGraphNode> nodes = SomeSteps({"1-3", "4-6", "7-8", "9-10", "11-12", "13-16"}, 5);
  const StepLayout layout = LayOutSteps(nodes);
  EXPECT_EQ(layout.boxes.size(), 2U + 6U * 5U);
  EXPECT_EQ(BoxOf(layout, 3).nodes, (std::vector<std::size_t>{3, 5, 7, 9, 11}));
  EXPECT_EQ(layout.edges.size(), 6U * 6U) << "the folds' lines are one line";
  ASSERT_EQ(layout.bands.size(), 6U);
  EXPECT_EQ(layout.bands[5].range, "13-16");
  EXPECT_GT(layout.bands[1].y, layout.bands[0].y + layout.bands[0].height);
  EXPECT_EQ(BoxOf(layout, 0).y, layout.boxes.back().y) << "simulate and report are in the middle";
  EXPECT_LT(std::abs(BoxOf(layout, 0).y + kStepBoxHeight / 2 - layout.height / 2), 10.0);
  ExpectRoomForAll(layout);
}

TEST(LayOutSteps, StacksUpToTheLimit) {
  const std::vector<std::string> two = {"4-6", "7-8"};
  static_assert(kMostLanes == 8);
  EXPECT_EQ(LayOutSteps(SomeSteps(two, 4)).boxes.size(), SomeSteps(two, 4).size());
  EXPECT_EQ(LayOutSteps(SomeSteps(two, 5)).boxes.size(), 2U + 2U * 5U);
}

TEST(LayOutSteps, FindsRoomWhenAStepIsJointAndOfARange) {
  std::vector<StepGraphNode> nodes = SomeSteps({"4-6"}, 1);
  nodes.push_back({"all", "all", "learn", "run", "", {0}});
  ExpectRoomForAll(LayOutSteps(nodes));
}

// SomeSteps of one range with a side way: pixels beside learn, their folds beside train.
std::vector<StepGraphNode> WithSideWay(int folds) {
  std::vector<StepGraphNode> nodes = SomeSteps({"4-6"}, folds);
  nodes.push_back({"4-6", "all", "pixels", "run", "", {1}, "learn"});
  const std::size_t pixels = nodes.size() - 1;
  for (int fold = 0; fold < folds; ++fold) {
    nodes.push_back({"4-6", "fold-" + std::to_string(fold), "train-pixels", "run", "", {pixels}, "train"});
  }
  return nodes;
}

TEST(LayOutSteps, PutsASideWayInOneLaneBelowItsTwins) {
  const StepLayout plain = LayOutSteps(SomeSteps({"4-6"}, 5));
  const StepLayout layout = LayOutSteps(WithSideWay(5));
  const std::size_t pixels = 15;
  EXPECT_EQ(layout.boxes.size(), 15U + 2U) << "its folds share a box";
  EXPECT_EQ(BoxOf(layout, 16).nodes, (std::vector<std::size_t>{16, 17, 18, 19, 20}));
  EXPECT_EQ(BoxOf(layout, pixels).x, BoxOf(layout, 3).x) << "the column of learn";
  EXPECT_EQ(BoxOf(layout, 16).x, BoxOf(layout, 4).x) << "the column of train";
  EXPECT_EQ(BoxOf(layout, pixels).y, BoxOf(layout, 16).y);
  for (std::size_t node = 0; node < 15; ++node) {
    EXPECT_EQ(BoxOf(layout, node).x, BoxOf(plain, node).x);
    EXPECT_EQ(BoxOf(layout, node).y, BoxOf(plain, node).y);
    EXPECT_LT(BoxOf(layout, node).y + kStepBoxHeight, BoxOf(layout, pixels).y);
  }
  EXPECT_EQ(layout.width, plain.width);
  const StepBand& band = layout.bands.at(0);
  EXPECT_LE(BoxOf(layout, pixels).y + kStepBoxHeight, band.y + band.height);
  ExpectRoomForAll(layout);
}

TEST(LayOutSteps, ASideWayTakesALaneOfTheLimit) {
  EXPECT_EQ(LayOutSteps(WithSideWay(7)).boxes.size(), 3U + 2U * 7U + 2U + 2U);
  EXPECT_EQ(LayOutSteps(WithSideWay(8)).boxes.size(), 3U + 2U + 2U + 2U) << "folds are gathered";
  ExpectRoomForAll(LayOutSteps(WithSideWay(8)));
}

TEST(LayOutSteps, FindsRoomForASideWayOverAllRanges) {
  std::vector<StepGraphNode> nodes = SomeSteps({"4-6", "7-8"}, 2);
  nodes.push_back({"all", "all", "other", "run", "", {0}, "report"});
  ExpectRoomForAll(LayOutSteps(nodes));
}

TEST(LayOutSteps, CopesWithoutRangesAndWithoutSteps) {
  const std::vector<StepGraphNode> joint = {{"all", "fold-0", "a", "run", "", {}}, {"", "fold-1", "a", "run", "", {}}};
  const StepLayout layout = LayOutSteps(joint);
  EXPECT_EQ(layout.boxes.size(), 2U);
  EXPECT_TRUE(layout.bands.empty());
  ExpectRoomForAll(layout);
  EXPECT_TRUE(LayOutSteps({}).boxes.empty());
}

}  // namespace
}  // namespace flyscribe
