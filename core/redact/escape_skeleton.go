package redact

import (
	"strings"
	"unicode"
)

// lookalikes maps characters to the ASCII text that they are mistaken for. Both
// strings of a pair have the same number of characters.
var lookalikes = tableOf([][2]string{
	{"аβсԁеҽɡһіїјӏκӏмոорԛгѕтսνѵԝхуᴢ", "abcdeeghiijlklmnopqrstuvvwxyz"},
	{"АВСЕНІЈКМОРԚЅТУѴԜХΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "abcehijkmopqstyvwxabezhikmnoptyxc"},
	{"αγεικνορτυχωɑɩʋոսօհցյϲıȷ", "ayeiknoptuxwaivnuohgjcij"},
	{"ÀÁÂÃÄÅàáâãäåÇçÈÉÊËèéêëÌÍÎÏìíîïÑñÒÓÔÕÖØòóôõöøÙÚÛÜùúûüÝýÿ", "aaaaaaaaaaaacceeeeeeeeiiiiiiiinnoooooooooooouuuuuuuuyyy"},
	{"‐‑‒–—−⁄∕․＿٠۰०০੦௦൦๐໐", "------//._ooooooooo"},
	{"‚’‘`´ʼ＇｜ǀ∣١۱", "''''''''llllll"[:12]},
})

func tableOf(pairs [][2]string) map[rune]rune {
	table := map[rune]rune{}
	for _, p := range pairs {
		to := []rune(p[1])
		for i, r := range []rune(p[0]) {
			if i < len(to) {
				table[r] = to[i]
			}
		}
	}
	return table
}

// Skeleton is what a hurried reader sees in a name: lower case, look-alike
// letters as their ASCII twins, 0 as o, 1, i and | as l, no trailing dots, no
// invisible characters. Two names with one skeleton can be mistaken for each other.
func Skeleton(s string) string {
	var b strings.Builder
	for _, r := range strings.TrimRight(s, ". ") {
		switch {
		case unicode.Is(bidiControls, r), unicode.Is(invisibles, r), unicode.Is(unicode.Mn, r):
			continue
		case r >= 0xff01 && r <= 0xff5e:
			r -= 0xfee0 // full-width forms of ASCII
		}
		if to, ok := lookalikes[r]; ok {
			r = to
		}
		switch r = unicode.ToLower(r); r {
		case '0':
			r = 'o'
		case '1', 'i', '|':
			r = 'l'
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(strings.ReplaceAll(b.String(), "rn", "m"))
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
