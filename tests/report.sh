#!/usr/bin/env bash
# Check the report in a browser: on a phone of 360 px and on a desktop, in light and dark mode, without JavaScript, and
# printed. The page must request nothing. Then damage the page in many places, and check that each damage is detected.
#
#   tests/report.sh SPRINGBACK [OUT]     OUT: a folder of results (default: a page without runs)
set -euo pipefail
springback=$(realpath "${1:?usage: tests/report.sh SPRINGBACK [OUT]}")
out=${2:+$(realpath "$2")}
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo "chromium is missing; run apt-get install chromium" >&2; exit 2; }
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

browse() { # OPTION...: start a separate browser without network services
    timeout 180 "$browser" --headless=new --no-sandbox --disable-gpu --no-first-run --hide-scrollbars \
        --disable-background-networking --disable-component-update --disable-sync --disable-default-apps \
        --disable-extensions --disable-features=OptimizationHints,MediaRouter --host-resolver-rules='MAP * ~NOTFOUND' \
        --user-data-dir="$work/profile" "$@" 2>"$work/browser.log"
}

# Check a page with tests/report.js, and print what is wrong. The page is in a frame, because a window cannot be as
# narrow as a phone.
look() { # PAGE WIDTH SCHEME SCRIPTED
    local page=$1 width=$2 scheme=$3 scripted=$4 dark=1
    [ "$scheme" = dark ] && dark=0
    { # the checks come first in the page, so that they are notified of each refused request
        sed '/<head>/q' "$page"
        printf '<script>const LOOK = {scheme: "%s"};\n' "$scheme"
        cat tests/report.js
        printf '</script>\n'
        if [ "$scripted" = true ]; then sed '1,/<head>/d' "$page"; else sed '1,/<head>/d; /^<script>$/,/^<\/script>$/d' "$page"; fi
    } >"$work/looked.html"
    cat >"$work/frame.html" <<EOF
<!DOCTYPE html><html><body><pre id="found">the checks did not run</pre>
<iframe src="looked.html" style="border:0;width:${width}px;height:900px"></iframe>
<script>addEventListener('message', function (event) { document.getElementById('found').textContent = event.data; });</script>
</body></html>
EOF
    rm -f "$work/net.json"
    browse --window-size=1400,1000 --blink-settings=preferredColorScheme=$dark --log-net-log="$work/net.json" \
        --virtual-time-budget=60000 --dump-dom "file://$work/frame.html" >"$work/dom.html" || echo "the browser failed"
    sed -n '/<pre id="found">/,/<\/pre>/p' "$work/dom.html" | sed 's/<pre id="found">//; s/<\/pre>.*//; s/.*<body>//' |
        grep -v '^looked at [1-9][0-9]* claims$' | grep . || true
    # All network requests of the page, from the browser's log; requests of the browser itself do not count.
    grep '"initiator":' "$work/net.json" | grep -v '"initiator":"not an origin"' |
        sed -n 's/.*"url":"\(\(https*\|wss*\|ftp\):[^"]*\)".*/the page requested \1/p' | sort -u || true
}

print() { # PAGE: print the page to PDF, and print what is wrong with it
    local claims pages
    rm -f "$work/page.pdf"
    browse --no-pdf-header-footer --print-to-pdf="$work/page.pdf" "file://$1" >/dev/null || echo "the browser failed"
    claims=$(grep -c '<article' "$1")
    pages=$(grep -a -c '/Type /Page$' "$work/page.pdf" || true)
    head -c 5 "$work/page.pdf" | grep -q '%PDF-' || echo "the browser wrote no PDF file"
    [ "$pages" -ge $((claims / 12 + 1)) ] || echo "$claims claims were printed on $pages pages, which is too few"
    [ "$pages" -le $((claims + 20)) ] || echo "$claims claims were printed on $pages pages, which is too many"
}

weigh() { # PAGE: check its size without its scenes and their player
    local bytes
    bytes=$(sed '/^<figure class="scene"/,/^<\/figure>/d; /^<script type="text\/plain" id="three">/d' "$1" | wc -c)
    [ "$bytes" -lt 4000000 ] || echo "the page has $bytes bytes; the maximum is 4000000"
}

well() { # NAME COMMAND...: check that the command finds nothing wrong
    local name=$1 said
    shift
    said=$("$@")
    if [ -n "$said" ]; then
        printf '%s:\n%s\n' "$name" "$said" >&2
        bad=1
    else
        echo "  ok: $name"
    fi
}

spoiled() { # NAME SED-SCRIPT WORDS COMMAND...: check that the command prints these words about a page that the script damaged
    local name=$1 words=$3 said
    sed "$2" "$plain" >"$work/spoiled.html"
    shift 3
    if cmp -s "$plain" "$work/spoiled.html"; then
        echo "$name: nothing was damaged; its sed script no longer matches the page" >&2
        bad=1
        return
    fi
    said=$("${@/PAGE/$work/spoiled.html}")
    if ! grep -q "$words" <<<"$said"; then
        printf '%s: the damage was not detected; expected "%s" in:\n%s\n' "$name" "$words" "$said" >&2
        bad=1
    else
        echo "  detected: $name"
    fi
}

page=$work/page.html plain=$work/plain.html
mkdir "$work/none"
"$springback" report -q --experiments experiments --out "$work/none" --page "$plain"
"$springback" report -q --experiments experiments --out "${out:-$work/none}" --page "$page"
well "on a phone, light" look "$page" 360 light true
well "on a phone, dark" look "$page" 360 dark true
well "on a desktop, light" look "$page" 1280 light true
well "on a desktop, dark" look "$page" 1280 dark true
well "without JavaScript" look "$page" 360 light false
well "on paper" print "$page"
well "in bytes" weigh "$page"

spoiled "a block that is too wide" 's|<h1 id="summary-title">|<div style="width:400px">wide</div>&|' \
    'px wide, on a screen of 360' look PAGE 360 light true
spoiled "no dark colours" 's|(prefers-color-scheme: dark)|(min-width: 99999px)|' 'the page is not dark' look PAGE 1280 dark true
spoiled "a faint grey" 's|--faint: #545c66|--faint: #b0b6be|' 'has a contrast of' look PAGE 1280 light true
spoiled "navigation that scrolls away" 's|position: sticky|position: static|' 'navigation is not on the screen' \
    look PAGE 1280 light true
spoiled "a first screen without results" 's|\.sentence { font-size|.sentence { margin-bottom: 60rem; font-size|' \
    'is not on the first screen' look PAGE 360 light true
spoiled "claims that are not behind a click" 's|<details class="group">|<details class="group" open="open">|' \
    'px high; at most 40000 px are allowed' look PAGE 1280 light true
spoiled "a claim without an address" 's|<article class="claim" id="|&not-|' 'leads nowhere' look PAGE 1280 light true
spoiled "claims that need JavaScript" 's|\.claim { background|.claim { display: none; background|' \
    'claims are hidden' look PAGE 1280 light false
spoiled "no focus to be seen" 's|:focus-visible { outline: 3px|:focus-visible { outline: 0px|' \
    'shows no focus' look PAGE 1280 light true
spoiled "a picture from elsewhere" 's|<h1 id="summary-title">|<img alt="" src="https://example.org/a.png"/>&|' \
    'the browser refused: https://example.org' look PAGE 1280 light true
spoiled "a page that may ask for pictures, and does" \
    's|<h1 id="summary-title">|<img alt="" src="https://example.org/a.png"/>&|; /Content-Security-Policy/d' \
    'the page requested https://example.org/a.png' look PAGE 1280 light true
spoiled "nothing on paper" 's|@page { margin|.claim { display: none; } @page { margin|' \
    'claims were printed on' print PAGE
[ "$bad" = 0 ] && echo "the report is correct"
exit "$bad"
