# Writes the steps in FOLDER, in the order of their numbers, as bytes into OUTPUT:
#     cmake -D FOLDER=… -D NAME=… -D OUTPUT=… -P embed.cmake
# NAME is the name of the array.
file(GLOB steps ${FOLDER}/*.sql)
list(SORT steps)
set(texts "")
set(table "static const struct migration ${NAME}[] = {\n")
foreach(step IN LISTS steps)
    get_filename_component(name ${step} NAME_WE)
    string(MAKE_C_IDENTIFIER ${name} symbol)
    file(READ ${step} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND texts "static const char text${symbol}[] = {${bytes}0};\n")
    string(APPEND table "    {\"${name}\", text${symbol}},\n")
endforeach()
file(WRITE ${OUTPUT} "${texts}${table}};\n")
