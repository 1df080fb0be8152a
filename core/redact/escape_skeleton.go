package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lookalikes lists characters that are mistaken for an ASCII one: Cyrillic,
// Greek, Armenian and accented letters, foreign digits, dashes and strokes.
var lookalikes = []struct {
	ascii rune
	twins string
}{
	{'\'', "`\u00b4\u02bb\u02bc\u2018\u2019\u201a"},
	{'-', "\u2010\u2011\u2012\u2013\u2014\u2212"},
	{'.', "\u2024\u3002"},
	{'/', "\u2044\u2215\u2571"},
	{'3', "\u01b7\u0417\u0437"},
	{'4', "\u0427"},
	{'6', "\u0431"},
	{'_', "\u02cd"},
	{'a', "\u00c0\u00c1\u00c2\u00c3\u00c4\u00c5\u00e0\u00e1\u00e2\u00e3\u00e4\u00e5\u0101\u0103\u0105\u0251\u0391\u03b1\u0410\u0430"},
	{'b', "\u0184\u0392\u0412\u042c\u0432"},
	{'c', "\u00c7\u00e7\u0107\u010d\u03f2\u03f9\u0421\u0441"},
	{'d', "\u010f\u0111\u0257\u0501"},
	{'e', "\u00c8\u00c9\u00ca\u00cb\u00e8\u00e9\u00ea\u00eb\u0113\u0119\u011b\u0395\u0415\u0435\u0451"},
	{'f', "\u0192\u03dd"},
	{'g', "\u011f\u0261\u0581"},
	{'h', "\u0397\u041d\u043d\u04ba\u04bb\u0570"},
	{'j', "\u03f3\u0408\u0458"},
	{'k', "\u039a\u03ba\u041a\u043a"},
	{'l', "\u00cc\u00cd\u00ce\u00cf\u00ec\u00ed\u00ee\u00ef\u0131\u0196\u01c0\u0269\u0399\u03b9\u0406\u0407\u0456\u0457\u04c0\u04cf\u0661\u06f1\u2160\u217c\u2223\uff5c"},
	{'m', "\u039c\u041c\u043c\u217f"},
	{'n', "\u00d1\u00f1\u039d\u03b7\u043f\u0578\u057c"},
	{'o', "\u00d2\u00d3\u00d4\u00d5\u00d6\u00d8\u00f2\u00f3\u00f4\u00f5\u00f6\u00f8\u039f\u03bf\u03c3\u041e\u043e\u04e9\u0585\u0660\u06f0\u0966\u09e6\u0e50"},
	{'p', "\u03a1\u03c1\u0420\u0440"},
	{'q', "\u051b\u0566"},
	{'r', "\u0157\u0159\u027e\u0433"},
	{'s', "\u015b\u015f\u0161\u0405\u0455"},
	{'t', "\u0163\u0165\u03a4\u03c4\u0422\u0442"},
	{'u', "\u00d9\u00da\u00db\u00dc\u00f9\u00fa\u00fb\u00fc\u016b\u016f\u03c5\u057d"},
	{'v', "\u03bd\u0474\u0475\u2174"},
	{'w', "\u03c9\u0448\u0461\u051c\u051d"},
	{'x', "\u03a7\u03c7\u0425\u0445\u2179"},
	{'y', "\u00dd\u00fd\u00ff\u03a5\u03b3\u0423\u0443\u04af"},
	{'z', "\u017a\u017c\u017e\u01b5\u0396\u1d22"},
}

// twin is the ASCII character that r is mistaken for, or r itself.
func twin(r rune) rune {
	switch {
	case r < utf8.RuneSelf && r != '`':
		return r
	case r >= fullWidth+'!' && r <= fullWidth+'~':
		return r - fullWidth
	}
	for _, l := range lookalikes {
		if strings.ContainsRune(l.twins, r) {
			return l.ascii
		}
	}
	return r
}

// fullWidth is how far the full-width forms of ASCII stand from it.
const fullWidth = 0xfee0

// Skeleton is what a hurried reader sees in a name: lower case, look-alike
// letters as their ASCII twins, 0 as o, 1, i and | as l, rn as m, no trailing
// dots, no invisible characters. Two names with one skeleton can be mistaken
// for each other.
func Skeleton(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.In(r, bidiControls, invisibles, unicode.Mn) {
			continue
		}
		switch r = unicode.ToLower(twin(r)); r {
		case '0':
			r = 'o'
		case '1', 'i', '|':
			r = 'l'
		}
		b.WriteRune(r)
	}
	return strings.ReplaceAll(strings.Trim(b.String(), ". "), "rn", "m")
}

// LooksLike gives those names that s is not but can be mistaken for.
func LooksLike(s string, names []string) []string {
	skeleton := Skeleton(s)
	var out []string
	for _, name := range names {
		if name != s && Skeleton(name) == skeleton {
			out = append(out, name)
		}
	}
	return out
}
