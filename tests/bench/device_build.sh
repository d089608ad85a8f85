# Sourced by the scripts for a machine with a GPU: builds into build-device, and sets the path of the program. On
# machines without Debian's packages, DEPS=FOLDER is a folder into which these packages were unpacked (dpkg -x).
# REVISION= is the revision of the sources, if the sources are not in a git repository.
# shellcheck shell=bash
if [ -n "${DEPS:-}" ]; then
    lib=$DEPS/usr/lib/x86_64-linux-gnu
    export CMAKE_PREFIX_PATH=$DEPS/usr PKG_CONFIG_SYSROOT_DIR=$DEPS PKG_CONFIG_PATH=$lib/pkgconfig
    export CMAKE_LIBRARY_PATH=$lib LD_LIBRARY_PATH=$lib:${LD_LIBRARY_PATH:-} LIBRARY_PATH=$lib
    export UDUNITS2_XML_PATH=$DEPS/usr/share/xml/udunits/udunits2.xml
fi
cmake -S . -B build-device -DSPRINGBACK_TESTS=OFF -DSPRINGBACK_PREPARE=OFF ${REVISION:+-DSPRINGBACK_REVISION=$REVISION} >/dev/null
make -C build-device -s -j"$(nproc)"
springback=build-device/springback
