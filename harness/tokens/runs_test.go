package tokens

// runs are the units of texts that go on without a break or nearly so.
var runs = []struct{ name, unit string }{
	{"letter", "a"},
	{"capital", "A"},
	{"mixed_case", "aA"},
	{"space", " "},
	{"dash", "-"},
	{"newline", "\n"},
	{"crlf", "\r\n"},
	{"tab_newline", "\t\n"},
	{"slash", "/"},
	{"digit", "1"},
	{"emoji", "🙂"},
	{"zwj", "👩\u200d🚀"},
	{"cjk", "語"},
	{"mark", "\u0301"},
	{"capital_mark", "A\u0301"},
	{"quote", "'"},
	{"contraction", "a's"},
	{"bad_byte", "\xff"},
	{"words", "a "},
	{"noise", "qzjxwvkpgbytrfhmdcnlsqzkxw"},
}
