# Installs the files that belong to the system (systemd, logrotate, fail2ban) and the sample of the
# settings. They name the paths of a program in /usr/bin; for another prefix, the paths are changed.
# With the prefix /usr, as GNU's rules say, settings are in /etc; else in PREFIX/etc.
# Runs at `cmake --install`; `source_dir` is the root of the project.

if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(settings_dir /etc)
else()
    set(settings_dir ${CMAKE_INSTALL_PREFIX}/etc)
endif()

# install_with_paths(FILE FOLDER NAME): installs deploy/FILE as FOLDER/NAME. Settings that are there
# already stay: somebody may have changed them.
function(install_with_paths file folder name)
    set(target $ENV{DESTDIR}${folder}/${name})
    string(FIND ${folder} ${settings_dir}/ start)
    if(start EQUAL 0 AND EXISTS ${target})
        message(STATUS "Kept: ${target}")
        return()
    endif()
    file(READ ${source_dir}/deploy/${file} text)
    string(REPLACE /usr/bin/trickhouse ${CMAKE_INSTALL_PREFIX}/bin/trickhouse text "${text}")
    string(REPLACE /usr/libexec/trickhouse ${CMAKE_INSTALL_PREFIX}/libexec/trickhouse text "${text}")
    string(REPLACE /etc/trickhouse ${settings_dir}/trickhouse text "${text}")
    file(WRITE ${target} "${text}")
    file(CHMOD ${target} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
    message(STATUS "Installing: ${target}")
endfunction()

install_with_paths(system/trickhouse.service ${CMAKE_INSTALL_PREFIX}/lib/systemd/system
    trickhouse.service)
install_with_paths(web/trickhouse-web.service ${CMAKE_INSTALL_PREFIX}/lib/systemd/system
    trickhouse-web.service)
install_with_paths(system/trickhouse.socket ${CMAKE_INSTALL_PREFIX}/lib/systemd/system
    trickhouse.socket)
install_with_paths(system/trickhouse.sysusers ${CMAKE_INSTALL_PREFIX}/lib/sysusers.d
    trickhouse.conf)
install_with_paths(system/trickhouse.tmpfiles ${CMAKE_INSTALL_PREFIX}/lib/tmpfiles.d
    trickhouse.conf)
install_with_paths(system/trickhouse.logrotate ${settings_dir}/logrotate.d trickhouse)
install_with_paths(fail2ban/filter.conf ${settings_dir}/fail2ban/filter.d trickhouse.conf)
install_with_paths(fail2ban/jail.conf ${settings_dir}/fail2ban/jail.d trickhouse.conf)
install_with_paths(house.conf ${settings_dir}/trickhouse house.conf)
