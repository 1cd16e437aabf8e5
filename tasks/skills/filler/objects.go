package filler

// A department is where objects belong; its key is the group of the skills.
type department struct{ name string }

var departments = map[string]department{
	"travel":     {"the travel desk"},
	"staff":      {"the staff office"},
	"it":         {"the computing centre"},
	"finance":    {"the accounts department"},
	"facilities": {"facility management"},
	"legal":      {"the legal department"},
	"lab":        {"the laboratory"},
	"press":      {"the press office"},
	"plant":      {"the production plant"},
	"fleet":      {"the vehicle fleet"},
	"farm":       {"the estate farm"},
	"museum":     {"the company museum"},
	"academy":    {"the training academy"},
	"energy":     {"the energy office"},
}

// A kind of object decides what can be done with it.
type kind int

const (
	thing kind = 1 << iota // is in use by somebody: a room, a car, a licence
	paper                  // is written: a report, a plan
	event                  // takes place: a drill, a course
)

// An object is something that a department looks after.
type object struct {
	dept      string
	prefix    string // of its numbers
	kind      kind
	one, many string
	purpose   string // completes "a meeting room …"
}

var objects = []object{
	{"travel", "TR", thing, "a hotel room", "hotel rooms", "on a business trip"},
	{"travel", "TV", paper, "a visa application", "visa applications", "for a country that wants one"},
	{"travel", "TC", thing, "a rail pass", "rail passes", "for commuters between the sites"},
	{"travel", "TG", paper, "a group itinerary", "group itineraries", "of a delegation"},
	{"travel", "TD", paper, "a per diem table", "per diem tables", "of a foreign city"},
	{"staff", "HL", paper, "a leave request", "leave requests", "for days off"},
	{"staff", "HP", paper, "a salary statement", "salary statements", "of one month"},
	{"staff", "HA", paper, "an appraisal", "appraisals", "of the yearly talk with the boss"},
	{"staff", "HO", paper, "an onboarding plan", "onboarding plans", "for the first hundred days"},
	{"staff", "HS", event, "a night watch", "night watches", "in the sick bay"},
	{"staff", "HC", thing, "a childcare place", "childcare places", "in the company nursery"},
	{"it", "IL", thing, "a laptop loan", "laptop loans", "for work from home"},
	{"it", "IS", thing, "a software licence", "software licences", "counted by seat"},
	{"it", "IV", thing, "a remote access profile", "remote access profiles", "for contractors"},
	{"it", "IM", paper, "a mailing list", "mailing lists", "of a project"},
	{"it", "IB", event, "a nightly backup", "nightly backups", "of a server"},
	{"it", "IC", thing, "a security certificate", "security certificates", "of an internal site"},
	{"finance", "FE", paper, "an expense report", "expense reports", "with its rides and dinners"},
	{"finance", "FB", paper, "a budget line", "budget lines", "of a cost centre"},
	{"finance", "FL", paper, "a ledger entry", "ledger entries", "of the closed quarter"},
	{"finance", "FG", paper, "a grant application", "grant applications", "to the regional fund"},
	{"finance", "FF", paper, "a cash flow forecast", "cash flow forecasts", "over eighteen months"},
	{"facilities", "ZM", thing, "a meeting room", "meeting rooms", "with a screen and seats for twelve"},
	{"facilities", "ZP", thing, "a parking bay", "parking bays", "under the east wing"},
	{"facilities", "ZB", thing, "an access badge", "access badges", "for the turnstiles"},
	{"facilities", "ZC", event, "a cleaning round", "cleaning rounds", "of the upper floors"},
	{"facilities", "ZF", event, "a fire drill", "fire drills", "with the brigade"},
	{"legal", "LC", paper, "a contract draft", "contract drafts", "between two companies"},
	{"legal", "LN", paper, "a secrecy agreement", "secrecy agreements", "with a partner abroad"},
	{"legal", "LT", paper, "a trademark file", "trademark files", "in all classes of goods"},
	{"legal", "LB", paper, "a board resolution", "board resolutions", "with its minutes"},
	{"lab", "BS", thing, "a tissue sample", "tissue samples", "in the cold store"},
	{"lab", "BM", thing, "a microscope slot", "microscope slots", "at the electron beam"},
	{"lab", "BP", paper, "a test protocol", "test protocols", "of a durability series"},
	{"lab", "BC", thing, "a chemical stock", "chemical stocks", "behind the fume hood"},
	{"press", "PR", paper, "a press release", "press releases", "with its embargo"},
	{"press", "PF", thing, "a fair stand", "fair stands", "in hall seven"},
	{"press", "PI", event, "an interview", "interviews", "with the chair of the board"},
	{"press", "PP", event, "a photo shoot", "photo shoots", "on the roof terrace"},
	{"plant", "MB", event, "a production batch", "production batches", "from the second kiln"},
	{"plant", "MW", event, "a maintenance window", "maintenance windows", "of the bottling line"},
	{"plant", "MT", event, "a tool calibration", "tool calibrations", "in the metrology room"},
	{"plant", "MS", paper, "a shift roster", "shift rosters", "of the night crew"},
	{"fleet", "VP", thing, "a pool car", "pool cars", "with a ski rack"},
	{"fleet", "VF", thing, "a fuel card", "fuel cards", "for the vans of the fitters"},
	{"fleet", "VD", paper, "a driving log", "driving logs", "kept for the auditors"},
	{"fleet", "VT", thing, "a tyre set", "tyre sets", "stored over the winter"},
	{"farm", "AF", paper, "an irrigation plan", "irrigation plans", "of the lower fields"},
	{"farm", "AH", paper, "a harvest log", "harvest logs", "of the orchards"},
	{"farm", "AB", thing, "a beehive", "beehives", "at the edge of the wood"},
	{"farm", "AS", event, "a soil survey", "soil surveys", "with its borehole cores"},
	{"museum", "UL", thing, "a painting loan", "painting loans", "to another gallery"},
	{"museum", "UT", event, "a guided tour", "guided tours", "for school classes"},
	{"museum", "UR", paper, "a restoration file", "restoration files", "of an oil painting"},
	{"museum", "UE", paper, "an exhibition layout", "exhibition layouts", "for the spring show"},
	{"academy", "CC", event, "a language course", "language courses", "on three evenings a week"},
	{"academy", "CE", event, "an exam sitting", "exam sittings", "for welders"},
	{"academy", "CM", thing, "a mentoring pair", "mentoring pairs", "of an apprentice and a master"},
	{"academy", "CL", paper, "a lecture recording", "lecture recordings", "with subtitles"},
	{"energy", "EM", paper, "a meter reading", "meter readings", "of the heating plant"},
	{"energy", "ES", thing, "a solar array", "solar arrays", "on the assembly hall"},
	{"energy", "EA", paper, "an emissions report", "emissions reports", "by chimney"},
	{"energy", "EC", thing, "a charging point", "charging points", "for electric lorries"},
}
