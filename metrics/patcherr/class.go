package patcherr

import (
	"slices"

	"skillbench/harness/transition"
)

// Classes of attempts that were accepted and left Σ wrong, in order of
// precedence, after those of package transition.
const (
	Unearned        = "unearned"         // records the effect of an action that the world refused
	PrematureDelete = "premature_delete" // a fact that still holds was deleted
	Overwrite       = "overwrite"        // a fact that still holds was replaced
	Duplicate       = "duplicate"        // a fact that moved was left in its old place too
	MissedUpdate    = "missed_update"    // a change that was announced or caused was not recorded, or not as it is
	Fabricated      = "fabricated"       // a fact of something that is not so, and was not
	None            = "none"             // nothing found
)

// Classes returns all classes but None, in order of precedence.
func Classes() []string {
	return append(transition.Classes(), Unearned, PrematureDelete, Overwrite, Duplicate, MissedUpdate, Fabricated)
}

// rank is the precedence of a class; unknown ones come last.
var rank = func() map[string]int {
	ranks := map[string]int{}
	for i, class := range Classes() {
		ranks[class] = i
	}
	return ranks
}()

func rankOf(class string) int {
	if r, ok := rank[class]; ok {
		return r
	}
	return len(rank)
}

// A Bucket is one of the paper's kinds of patch error (section 5.7), or Other.
type Bucket string

const (
	Syntax    Bucket = "syntax"             // the paper's JSON syntax errors
	Schema    Bucket = "schema"             // its schema or type coercion
	Overwrote Bucket = "overwrite_deletion" // its premature overwrite or deletion
	Other     Bucket = "other"              // classes that the paper does not name
)

// Buckets lists the paper's three and Other.
func Buckets() []Bucket { return []Bucket{Overwrote, Schema, Syntax, Other} }

// BucketOf rolls a class up; "" for None. The paper defines none of its kinds:
// which classes go where is our reading.
func BucketOf(class string) Bucket {
	switch class {
	case None, "":
		return ""
	case transition.NoJSON, transition.JSONSyntax:
		return Syntax
	case transition.Envelope, transition.SchemaUnknownKey, transition.SchemaType, transition.SchemaValue:
		return Schema
	case PrematureDelete, Overwrite, Duplicate:
		return Overwrote
	}
	return Other
}

// An Order says which of several classes found in one attempt is its primary
// one.
type Order string

const (
	First    Order = "first"    // the first in Classes: what the reply itself shows goes before what it does to Σ
	Reversed Order = "reversed" // the last in Classes: as far from First as an order can be
)

// Primary returns the primary class of findings, None if there are none.
func (o Order) Primary(findings []Finding) string {
	if len(findings) == 0 {
		return None
	}
	by := func(a, b Finding) int { return rankOf(a.Class) - rankOf(b.Class) }
	if o == Reversed {
		return slices.MaxFunc(findings, by).Class
	}
	return slices.MinFunc(findings, by).Class
}

// ofPatch reports whether only a reply with a patch can have a class.
func ofPatch(class string) bool { return BucketOf(class) != Other || rankOf(class) >= rank[Unearned] }
