package filler

import "skillbench/tasks/skills"

// A verb is something that can be done with the objects of its kinds. In its
// texts {one} is the object with its article, {the} the same with "the", {many}
// its plural, {for} what it is for, {dept} the department.
type verb struct {
	name              string
	on                kind
	summary           string
	triggers          []string
	boundary, promise string
	effect            skills.Effect
	param             string // a second parameter beside id, "" for none
	shape             skills.Param
}

func date(about string) skills.Param {
	return skills.Param{Type: "string", Required: true, Source: skills.FromUser, Pattern: "20[0-9]{2}-[0-9]{2}-[0-9]{2}", About: about + ", such as 2027-03-18"}
}

func choice(about string, values ...string) skills.Param {
	return skills.Param{Type: "string", Required: true, Source: skills.FromUser, Enum: values, About: about}
}

func count(about string) skills.Param {
	return skills.Param{Type: "integer", Required: true, Source: skills.FromUser, About: about}
}

var verbs = []verb{
	{
		name: "find", on: thing | paper | event, summary: "Show the record of {one} {for}.",
		triggers: []string{"An employee in {dept} looks for {one}", "Somebody has the number of {one} and wants its record"},
		boundary: "Shows one record of {dept} and edits nothing.", promise: "The record of {the}, with its owner and its history.",
		effect: skills.NoEffect,
	},
	{
		name: "reserve", on: thing | event, summary: "Reserve {one} {for}.",
		triggers: []string{"An employee wants {one} kept free for a date", "A group in {dept} plans ahead and will need {one}"},
		boundary: "Keeps {the} free; what is kept already is lengthened with extend.", promise: "A reservation of {the} for the date.",
		effect: skills.Write, param: "date", shape: date("Date of the reservation"),
	},
	{
		name: "extend", on: thing | event, summary: "Let {one} {for} run longer than agreed.",
		triggers: []string{"{many} run out and are still in use", "An employee in {dept} asks for more weeks with {one}"},
		boundary: "Lengthens what runs; to begin anew, reserve.", promise: "The new last day of {the}.",
		effect: skills.Write, param: "until", shape: date("New last day"),
	},
	{
		name: "approve", on: paper | event, summary: "Sign {one} {for} off with full authority.",
		triggers: []string{"{one} waits for a signature in {dept}", "The head of {dept} has read {one} and agrees"},
		boundary: "For the heads of {dept} only; to look first, review.", promise: "{the}, signed, with name and hour.",
		effect: skills.Write,
	},
	{
		name: "archive", on: paper, summary: "Move {one} {for} to the archive of {dept}.",
		triggers: []string{"{many} of last season are in the way", "{one} is finished and nobody works with it"},
		boundary: "Takes {the} out of daily use and deletes nothing.", promise: "A shelf mark in the archive.",
		effect: skills.Write,
	},
	{
		name: "compare", on: thing | paper, summary: "Set two {many} {for} side by side.",
		triggers: []string{"An employee hesitates between two {many}", "{dept} wants to know how two {many} differ"},
		boundary: "Compares two of a kind; a single one is shown by find.", promise: "A table of the differences between the two {many}.",
		effect: skills.NoEffect, param: "other", shape: skills.Param{Type: "string", Required: true, Source: skills.FromUser, Pattern: "[A-Z]{2}-[0-9]{5}", About: "Number of the second one"},
	},
	{
		name: "export", on: paper | event, summary: "Write the data of {one} {for} to a spreadsheet.",
		triggers: []string{"An analyst needs the figures of {one}", "{dept} gathers the data of {many} for its yearly report"},
		boundary: "Data only; nothing of {the} is edited.", promise: "A spreadsheet with the data of {the}.",
		effect: skills.NoEffect, param: "format", shape: choice("Format of the spreadsheet", "xlsx", "ods", "csv"),
	},
	{
		name: "assign", on: thing | paper | event, summary: "Make an employee responsible for {one} {for}.",
		triggers: []string{"The owner of {one} has left", "{one} belongs to nobody in {dept}"},
		boundary: "Names one owner; rights of others stay as they are.", promise: "The new owner of {the}, told at once.",
		effect: skills.Write, param: "role", shape: choice("Role of the employee", "lead", "deputy", "trainee"),
	},
	{
		name: "review", on: paper | event, summary: "Collect what employees think of {one} {for}.",
		triggers: []string{"{dept} wants opinions on {one} before it goes on", "A second pair of eyes should look at {one}"},
		boundary: "Gathers opinions and decides nothing; approve decides.", promise: "The opinions on {the}, by employee.",
		effect: skills.Write, param: "readers", shape: count("How many employees are asked"),
	},
	{
		name: "duplicate", on: paper, summary: "Start a copy of {one} {for} as a draft.",
		triggers: []string{"An employee wants {one} like an existing one", "{dept} begins a new season with last season's {many}"},
		boundary: "Copies the content and not the history.", promise: "A draft that begins as a copy of {the}.",
		effect: skills.Write,
	},
	{
		name: "suspend", on: thing | event, summary: "Put {one} {for} on hold for a while.",
		triggers: []string{"{one} must not be used until a question is settled", "{dept} pauses its {many} over the summer"},
		boundary: "A pause with an end; what is over for good is for archive.", promise: "The first and the last day of the pause of {the}.",
		effect: skills.Write, param: "until", shape: date("Last day of the pause"),
	},
	{
		name: "inspect", on: thing | paper | event, summary: "Check {one} {for} against the rules of {dept}.",
		triggers: []string{"An auditor asks about {one}", "An employee doubts that {one} meets the rules"},
		boundary: "Finds what breaks a rule and mends nothing.", promise: "A list of the rules that {the} breaks.",
		effect: skills.NoEffect,
	},
}
