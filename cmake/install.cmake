# SPDX-License-Identifier: Apache-2.0
# What `make install` puts below PREFIX. Nothing comes from a network. The component `program` is also what
# `pip install ./analysis` takes along; `site` is what else a cluster's users need.
include(GNUInstallDirs)
set(shared ${CMAKE_INSTALL_DATADIR}/breakeven)
set(no_code_of_python PATTERN __pycache__ EXCLUDE PATTERN *.egg-info EXCLUDE)

install(TARGETS breakeven RUNTIME COMPONENT program)
install(DIRECTORY jobs/topologies DESTINATION ${shared}/jobs COMPONENT program)

# To copy into a folder of one's own: they find the program on PATH.
install(DIRECTORY jobs/slurm jobs/suites DESTINATION ${shared}/jobs COMPONENT site USE_SOURCE_PERMISSIONS)
install(PROGRAMS jobs/measure jobs/common.sh jobs/reframe_check.py DESTINATION ${shared}/jobs COMPONENT site)
# For `pip install PREFIX/share/breakeven/analysis`, which compiles nothing.
install(DIRECTORY analysis/breakeven_analysis DESTINATION ${shared}/analysis COMPONENT site ${no_code_of_python})
install(FILES analysis/pyproject.toml analysis/packaging_backend.py analysis/README.md DESTINATION ${shared}/analysis
        COMPONENT site)
install(CODE "set(sources \"${PROJECT_SOURCE_DIR}\")
              set(target \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}\")
              include(\"${PROJECT_SOURCE_DIR}/cmake/install_docs.cmake\")" COMPONENT site)

# Manual pages, and completions for bash, zsh and fish, from the program's --help.
find_program(BREAKEVEN_MANUALS_PYTHON python3 DOC "Python that writes the manual pages")
if(BREAKEVEN_MANUALS_PYTHON)
  install(CODE "execute_process(COMMAND \"${BREAKEVEN_MANUALS_PYTHON}\" \"${PROJECT_SOURCE_DIR}/setup/manuals\"
                \"$<TARGET_FILE:breakeven>\" \"${PROJECT_BINARY_DIR}/manuals\" RESULT_VARIABLE code)
                if(code)
                  message(WARNING \"no manual pages: setup/manuals ended with \${code}\")
                endif()" COMPONENT site)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/manuals/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT site OPTIONAL)
endif()
