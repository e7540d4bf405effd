# What `cmake --install` installs. CMakeLists.txt includes this file.
include(GNUInstallDirs)

install(TARGETS trickhouse)
install(DIRECTORY ${CMAKE_BINARY_DIR}/locale DESTINATION ${CMAKE_INSTALL_DATAROOTDIR})

foreach(section 1 5 7)
    file(GLOB manuals CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/deploy/man/*.${section})
    install(FILES ${manuals} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()

set(completions ${CMAKE_SOURCE_DIR}/deploy/completions)
install(FILES ${completions}/trickhouse.bash RENAME trickhouse
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions)
install(FILES ${completions}/_trickhouse
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/site-functions)
install(FILES ${completions}/trickhouse.fish
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d)

# The pages refer to each other by their places in the project.
install(FILES README.md CHANGELOG.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES games/RULES.md games/HISTORY.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/games)
install(FILES lobby/protocol/PROTOCOL.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/lobby/protocol)
install(PROGRAMS deploy/examples/oh-hell-bot.py deploy/examples/bench-bot.py
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/deploy/examples)
install(FILES deploy/house.conf deploy/OPERATING.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/deploy)
install(FILES daemon/processes/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/daemon/processes)

# The house in a browser: the page is made from these files when it is set up.
install(FILES deploy/web/index.html deploy/web/icon.svg deploy/web/page.css deploy/web/page.js
    deploy/web/telnet.js DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/trickhouse/web)
install(PROGRAMS deploy/web/make-page DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/trickhouse/web)
install(PROGRAMS deploy/web/trickhouse-web DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/trickhouse)
install(FILES deploy/web/README.md deploy/web/nginx.conf deploy/web/screenshot.png
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/deploy/web)
install(FILES deploy/monitoring/README.md deploy/monitoring/alerts.yml deploy/monitoring/grafana.json
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/deploy/monitoring)

# The files of the system, which name paths, and the settings.
install(CODE "set(source_dir \"${CMAKE_SOURCE_DIR}\")")
install(SCRIPT deploy/install_system.cmake)
