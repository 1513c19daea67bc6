// lock/<range>.yaml in the output folder: what a range's results came from, and what they are. Sorted, one fact a line,
// so that two of them can be compared and merged as text.
//
//   inputs    digests of images, labels and folds
//   keys      the key of every step
//   options   all that affect results
//   results   the digest of every artifact: SHA-256 of its lines "<SHA-256 of the file>  <name>" (as sha256sum prints
//             them), without key.txt and manifest.json
//   versions  of steps and libraries
// `flyscribe run --locked` fails if any of it would differ.
#pragma once

#include <map>
#include <string>

#include "core/fs.h"
#include "pipeline/plan/plan.h"
#include "pipeline/run/runner.h"

namespace flyscribe {

// section -> name -> value
using LockFacts = std::map<std::string, std::map<std::string, std::string>>;

// All but the results, which are not known before a run.
LockFacts PlannedFacts(const Plan& plan, const PlanPoint& point, const std::string& range);
// The results of a run's share.
std::map<std::string, std::string> ResultFacts(const RunOutcome& outcome, const std::string& range);

std::string LockText(const std::string& range, const LockFacts& facts);
// Throws Error(kCorrupt) if the text is not one of LockText's.
LockFacts ParseLock(const std::string& text, const std::string& source);

// The file of a range in an output folder.
fs::path LockFileOf(const fs::path& output, const std::string& range);

// Throws Error(kUsage) that names every fact in which the plan differs from the lock files of `point`, or the file that
// is missing.
void RequirePlanAsLocked(const Plan& plan, const PlanPoint& point);
// Throws Error(kCorrupt) if results differ.
void RequireResultsAsLocked(const PlanPoint& point, const RunOutcome& outcome);
// Throws Error(kUsage) if WriteLockFiles would replace a file that is no lock file.
void RequireOwnLockFiles(const Config& config);
// Writes the files; throws as RequireOwnLockFiles does. The result of a step that was not needed is kept from the file
// before.
void WriteLockFiles(const Plan& plan, const PlanPoint& point, const RunOutcome& outcome);

}  // namespace flyscribe
