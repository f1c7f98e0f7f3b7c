package mysqlfn

import (
	"database/sql/driver"
	"strings"
)

// locale is how FORMAT writes numbers somewhere. The zero value marks no thousands and is the one for most of them.
type locale struct {
	point, separator string
	pairs            bool // groups of two digits above the first three
}

var english = locale{point: ".", separator: ","}

// locales by lower-case name; any other name means [english].
// Source: what FORMAT(12345678901.25, 2, name) says in MySQL 8.0.15 for every name of its manual's "MySQL Server Locale Support".
var locales = func() map[string]locale {
	out := map[string]locale{}
	for names, l := range map[string]locale{
		"cs_CZ et_EE fi_FI lv_LV mk_MK ru_RU sk_SK sv_FI sv_SE": {",", " ", false},
		"it_CH rm_CH":       {",", "'", false},
		"de_CH":             {".", "'", false},
		"bg_BG":             {",", "\x00", false},
		"en_IN ta_IN te_IN": {".", ",", true},
		"be_BY da_DK de_BE de_DE de_LU es_AR fo_FO hu_HU id_ID is_IS lt_LT mn_MN nb_NO no_NO ro_RO ru_UA sq_AL tr_TR uk_UA vi_VN":                                     {",", ".", false},
		"ca_ES de_AT el_GR es_BO es_CL es_CO es_EC es_ES es_PY es_UY es_VE eu_ES fr_BE fr_CA fr_CH fr_FR fr_LU gl_ES hr_HR it_IT nl_BE nl_NL pl_PL pt_BR pt_PT sl_SI": {",", "", false},
		"ar_SA es_CR es_DO es_GT es_HN es_MX es_NI es_PA es_PE es_PR es_SV sr_RS sr_YU":                                                                               {".", "", false},
	} {
		for _, name := range strings.Fields(names) {
			out[strings.ToLower(name)] = l
		}
	}
	return out
}()

// write brings a plain decimal number into the locale's form.
func (l locale) write(number string) string {
	number, negative := strings.CutPrefix(number, "-")
	digits, frac, dotted := strings.Cut(number, ".")
	size := 3
	for i := len(digits) - size; i > 0 && l.separator != ""; i -= size {
		digits = digits[:i] + l.separator + digits[i:]
		if l.pairs {
			size = 2
		}
	}
	if negative {
		digits = "-" + digits
	}
	if dotted {
		digits += l.point + frac
	}
	return digits
}

// format is FORMAT(number, places, locale).
func format(a []driver.Value) (driver.Value, error) {
	if a[0] == nil || a[1] == nil {
		return nil, nil
	}
	text, ok := formatDecimal(a[0], int(min(max(whole(a[1]), 0), 30)))
	if f, isFloat := a[0].(float64); !ok && isFloat {
		return nil, refused("FORMAT of %g", f)
	}
	l := english
	if len(a) > 2 {
		if known, ok := locales[strings.ToLower(str(a[2]))]; ok {
			l = known
		}
	}
	return l.write(string(text)), nil
}
