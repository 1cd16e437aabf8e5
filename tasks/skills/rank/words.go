package rank

import (
	"strings"
	"unicode"
)

// Words takes a text apart: runs of letters, marks and digits of any script, in
// lower case, each without its English plural. An apostrophe parts words, so that
// "customer's" is "customer" and "s".
func Words(text string) []string {
	list := split(text)
	for i, w := range list {
		list[i] = singular(w)
	}
	return list
}

// split is Words with the plurals.
func split(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
	})
}

// singular is Harman's S-stemmer (1991), the lightest there is: -ies becomes -y
// but for -eies and -aies, -es becomes -e but for -aes, -ees and -oes, -s goes but
// for -us and -ss; only the first of the three that ends the word is looked at.
// Words of fewer than four letters stay.
func singular(w string) string {
	ends := func(suffixes ...string) bool {
		for _, s := range suffixes {
			if strings.HasSuffix(w, s) {
				return true
			}
		}
		return false
	}
	switch {
	case len(w) < 4:
		return w
	case ends("ies"):
		if ends("eies", "aies") {
			return w
		}
		return w[:len(w)-3] + "y"
	case ends("es"):
		if ends("aes", "ees", "oes") {
			return w
		}
		return w[:len(w)-1]
	case ends("s") && !ends("us", "ss"):
		return w[:len(w)-1]
	}
	return w
}
