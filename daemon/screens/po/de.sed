# How German is written in ASCII. The build makes a catalogue for terminals without other letters.
s/ä/ae/g
s/ö/oe/g
s/ü/ue/g
s/Ä/Ae/g
s/Ö/Oe/g
s/Ü/Ue/g
s/ß/ss/g
