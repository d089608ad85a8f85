# Completion of springback for bash. Commands, options and the names of their arguments come from --help, fields of
# experiment files from `springback manual`.

# Print the possible words for an argument that --help calls ARGUMENT. If ARGUMENT is KEY=VALUE or PATH=VALUE, print the
# names of all fields, or, if FIELD is not empty, the possible values of this field.
_springback_words() { # PROGRAM ARGUMENT FIELD
    case $2:$3 in
    BACKEND:) echo serial threads threads: opencl opencl:gpu opencl:cpu ;;
    TIER:) echo quick full ;;
    PAPER:) for file in paper_checks/*.yaml; do [[ ! -e $file ]] || basename "$file" .yaml; done ;;
    FORMAT:) echo series csv vtk triangles picture figure ;;
    WHEN:) echo auto always never ;;
    *=VALUE:) "$1" manual | sed -nE '/^## Quantities/q; s/^\| `(([^`]*\.)?([^`]*))` .*/\1= \3=/p' ;;
    *=VALUE:name | *=VALUE:method.name) "$1" manual | sed -n 's/^### method: //p' ;;
    *=VALUE:*) "$1" manual | sed -nE "s/^\| \`([^\`]*\.)?$3\` \| word .* One of: (.*)\. \|$/\2/p" ;;
    esac
}

# bash breaks words at = and :, but springback does not. Therefore this function takes the word from the whole line. It
# removes from each answer the part that bash counts as earlier words.
_springback() {
    local program=${1/#\~/$HOME} line=${COMP_LINE:0:COMP_POINT} breaks=${COMP_WORDBREAKS//[^=:]/} head=''
    local help verb current value kind='' option='' endings=yaml ending field=''
    local -a words
    read -ra words <<<"$line"
    if [[ $line == *[[:space:]] ]]; then words+=(''); fi
    verb=${words[1]} current=${words[-1]}
    COMPREPLY=()
    if ((${#words[@]} <= 2)); then
        help=$("$program" --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
        mapfile -t COMPREPLY < <(compgen -W "--help --version $help" -- "$current")
        return
    fi
    help=$("$program" "$verb" --help 2>/dev/null)
    if [[ $current == -* && $current != *=* ]]; then
        help=$(sed -nE 's/^ +(-., )?(--[a-z-]+=?).*/\2/p' <<<"$help")
        mapfile -t COMPREPLY < <(compgen -W "$help" -- "$current")
        if [[ ${COMPREPLY[0]-} == *= ]]; then compopt -o nospace 2>/dev/null; fi
        return
    fi
    # The word is the argument of an option, or an argument of the command itself.
    value=$current
    if [[ $current == --*=* ]]; then
        option=${current%%=*} value=${current#*=}
    elif [[ ${words[-2]} == -* && ${words[-2]} != *=* ]]; then
        option=${words[-2]}
    fi
    if [[ $option ]]; then kind=$(sed -nE "s/^ +(-., )?$option(, --[a-z-]+)?\[?=([A-Z=]+).*/\3/p" <<<"$help"); fi
    if [[ -z $kind && $current != --*=* ]]; then
        kind=$(sed -nE 's/^Usage: .* \[OPTION\.\.\.\] \[?([A-Z]+).*/\1/p' <<<"$help")
    fi
    case $kind in
    TRACE) endings='vtkhdf h5' ;;
    MESH) endings=$(grep -oE '(^| )\.[a-z]+' <<<"${help%% --*}" | tr -d ' .') ;;
    PICTURE) endings='svg png' ;;
    esac
    case $kind in
    DIR | FOLDER) mapfile -t COMPREPLY < <(compgen -d -- "$value") ;;
    FILE | TRACE | MESH | PICTURE)
        mapfile -t COMPREPLY < <(for ending in $endings; do compgen -f -X "!*.$ending" -- "$value"; done
            compgen -d -- "$value")
        ;;
    *)
        if [[ $value == *=* ]]; then field=${value%%=*} value=${value#*=}; fi
        mapfile -t COMPREPLY < <(compgen -W "$(_springback_words "$program" "$kind" "$field")" -- "$value" | sort -u)
        ;;
    esac
    case $kind in
    DIR | FOLDER | FILE | TRACE | MESH | PICTURE) compopt -o filenames 2>/dev/null ;;
    *) if [[ ${COMPREPLY[0]-} == *= ]]; then compopt -o nospace 2>/dev/null; fi ;;
    esac
    if [[ $breaks ]]; then head=${current%"${current##*["$breaks"]}"}; fi
    COMPREPLY=("${COMPREPLY[@]/#/"${current%"$value"}"}")
    COMPREPLY=("${COMPREPLY[@]#"$head"}")
}
complete -F _springback springback
