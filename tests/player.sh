#!/usr/bin/env bash
# Check the scenes of a page in a real browser with software WebGL, on a desktop and on a phone. Each scene must open,
# not be empty, move, keep its panels synchronous and rotate; the page must request nothing. Then damage a scene, and
# check that the damage is detected.
#
#   tests/player.sh PAGE [MOST]      MOST: check only the first MOST scenes (default: all); needs chromium,
#                                    chromedriver and curl (Debian: chromium-driver, curl)
set -euo pipefail
page=$(realpath "${1:?usage: tests/player.sh PAGE [MOST]}")
most=${2:-1000}
cd "$(dirname "$0")/.."
for program in chromedriver curl; do
    command -v $program >/dev/null || { echo "$program is missing; run apt-get install chromium-driver curl" >&2; exit 2; }
done
work=$(mktemp -d)
port=$((20000 + RANDOM % 20000))
chromedriver --port=$port >"$work/driver.log" 2>&1 &
driver=$!
trap 'kill $driver 2>/dev/null; rm -rf "$work"' EXIT
for ((i = 0; i < 100; ++i)); do curl -s "localhost:$port/status" >/dev/null && break || sleep 0.1; done

ask() { # PATH JSON: send a command to WebDriver, and print the answer
    curl -s --max-time 600 -H 'Content-Type: application/json' --data-binary @- "localhost:$port/$1" <<<"$2"
}

# Open a page in a window; print the findings of tests/player.js, one on each line.
look() { # PAGE WIDTH HEIGHT MOST
    local session options script
    options='"--headless=new","--no-sandbox","--use-angle=swiftshader","--enable-unsafe-swiftshader","--hide-scrollbars"'
    options+=',"--disable-background-networking","--host-resolver-rules=MAP * ~NOTFOUND"'
    session=$(ask session "{\"capabilities\":{\"alwaysMatch\":{\"goog:chromeOptions\":{\"args\":[$options,\"--window-size=$2,$3\"],
        \"mobileEmulation\":{\"deviceMetrics\":{\"width\":$2,\"height\":$3,\"pixelRatio\":1}}},
        \"timeouts\":{\"script\":500000}}}}" | sed -n 's/.*"sessionId":"\([^"]*\)".*/\1/p')
    [ -n "$session" ] || { echo "wrong: the browser did not start"; cat "$work/driver.log"; return; }
    ask "session/$session/url" "{\"url\":\"file://$1\"}" >/dev/null
    script=$(sed 's/\\/\\\\/g; s/"/\\"/g; s/$/\\n/' tests/player.js | tr -d '\n')
    ask "session/$session/execute/async" "{\"script\":\"$script\",\"args\":[$4]}" |
        sed 's/^{"value":\[\{0,1\}//; s/\]\{0,1\}}$//; s/","/\n/g' | sed 's/^"//; s/"$//'
    curl -s -X DELETE "localhost:$port/session/$session" >/dev/null
}

bad=0
for size in "1200 900" "390 844"; do
    # shellcheck disable=SC2086 # $size is two words
    found=$(look "$page" $size "$most")
    echo "${size/ /x}: $found"
    grep -q 'scenes play' <<<"$found" && ! grep -q 'wrong: ' <<<"$found" || bad=1
done
# A scene whose data is cut off must be detected.
sed 's/"codes":"[^"]\{40\}/"codes":"/' "$page" >"$work/spoiled.html"
if ! look "$work/spoiled.html" 1200 900 1 | grep -q 'wrong: .* does not open'; then
    echo "wrong: a damaged scene was not detected"
    bad=1
fi
exit $bad
