# Read by ctest before it runs: one entry per suite of a test program, so that what a suite sets up is set up once, and suites run on all cores.
# From the caller: program, name, labels.
execute_process(COMMAND ${program} --gtest_list_tests OUTPUT_VARIABLE listing RESULT_VARIABLE failed)
if(failed)
  add_test(${name}_is_not_built ${program})
  return()
endif()
string(REGEX MATCHALL "(^|\n)[^ \n]+\\." suites "${listing}")
foreach(suite ${suites})
  string(STRIP "${suite}" suite)
  string(REGEX REPLACE "\\.$" "" suite "${suite}")
  add_test(${name}/${suite} ${program} "--gtest_filter=${suite}.*")
  set_tests_properties(${name}/${suite} PROPERTIES LABELS "${labels}" TIMEOUT 900)
endforeach()
