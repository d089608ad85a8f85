# Write each file of FILES as a C array into OUT. Then write the array TABLE of struct ROW, which HEADER declares: the
# name and the text of each file. A row of zeros ends TABLE.
set(text "#include \"${HEADER}\"\n\n")
set(table "")
foreach(file ${FILES})
    get_filename_component(name ${file} NAME)
    string(MAKE_C_IDENTIFIER ${name} symbol)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND text "static const char ${symbol}[] = {${bytes}0};\n")
    string(APPEND table "    {\"${name}\", ${symbol}},\n")
endforeach()
file(WRITE ${OUT} "${text}\nconst struct ${ROW} ${TABLE}[] = {\n${table}    {0, 0},\n};\n")
