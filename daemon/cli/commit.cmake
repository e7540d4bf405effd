# Writes the commit of the source tree SOURCE into the file OUTPUT, which defines COMMIT_TEXT for C:
#     cmake -D SOURCE=… -D OUTPUT=… -P commit.cmake
# A source archive carries its commit in commit.txt, because `git archive` replaces the placeholder
# there. In a clone, git knows the commit. Otherwise the text is "unknown". OUTPUT is written only
# when its contents change.

# ask_git(RESULT WORD...): runs git in SOURCE with these words. Sets RESULT to its output and
# git_status to its exit status. Git takes no lock, since a build may run beside other git commands,
# and accepts a clone of another user, since root may build there.
function(ask_git result)
    execute_process(
        COMMAND ${CMAKE_COMMAND} -E env GIT_OPTIONAL_LOCKS=0
            git -c safe.directory=* -c core.fsmonitor=false ${ARGN}
        WORKING_DIRECTORY ${SOURCE}
        OUTPUT_VARIABLE output RESULT_VARIABLE status ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(${result} "${output}" PARENT_SCOPE)
    set(git_status ${status} PARENT_SCOPE)
endfunction()

set(text unknown)
file(READ ${SOURCE}/daemon/cli/commit.txt archived)
string(STRIP "${archived}" archived)
if(archived MATCHES "^[0-9a-f]+$")
    set(text ${archived})
else()
    # The prefix is the path of SOURCE inside the clone: empty unless an unpacked tree lies in the
    # clone of another project.
    ask_git(prefix rev-parse --show-prefix)
    if(git_status EQUAL 0 AND prefix STREQUAL "")
        ask_git(commit rev-parse --verify HEAD)
        if(git_status EQUAL 0)
            set(text ${commit})
            ask_git(changes status --porcelain --untracked-files=normal)
            if(NOT git_status EQUAL 0 OR NOT changes STREQUAL "")
                string(APPEND text " with uncommitted changes")
            endif()
        endif()
    endif()
endif()

file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define COMMIT_TEXT \"${text}\"\n" @ONLY)
