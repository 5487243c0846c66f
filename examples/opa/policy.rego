# The policy that comes with soclab, in Rego: the same meaning as its Cedar set, code for code.
#
# Its input is the facts document (soclab.policy.v1): values that the lab has computed, never an agent's words. What no
# rule permits is denied; a reason to deny goes before a reason to wait, and neither hides another one.
package soclab

import rego.v1

decision := {
	"decision": word,
	"reasons": sort(reasons),
	"holds": sort(holds),
	"obligations": sort(obligations),
}

word := "deny" if {
	count(reasons) > 0
} else := "hold" if {
	count(holds) > 0
} else := "allow"

reasons := denials if {
	objected
} else := set() if {
	permitted
} else := {"no_policy_permits"}

obligations := set() if {
	objected
} else := due

objected if count(denials) + count(holds) > 0

# The kinds of calls.

looks_up if {
	input.tool.known
	input.tool.reads
}

acts if {
	input.tool.known
	not input.tool.reads
}

changes if {
	acts
	input.tool.risk != "none"
}

is_small if {
	input.tool.risk == "low"
	input.tool.reversible
}

# What an agent may do at all.

default permitted := false

# Looking something up.
permitted if {
	looks_up
	input.tool.risk == "none"
}

# Notes, raising the severity, handing over to a person.
permitted if {
	acts
	input.tool.risk == "none"
	input.level >= 2
}

permitted if {
	acts
	input.tool.closes
	input.level >= 4
}

# A person has agreed.
permitted if {
	changes
	not input.tool.closes
	input.level >= 4
	input.approval == "granted"
}

# Acting alone.
permitted if {
	acts
	not input.tool.closes
	is_small
	input.level >= 5
}

due contains obligation if {
	looks_up
	input.tool.risk == "none"
	some obligation in ["read_only", "redact_output"]
}

# The call names a tool that exists, with the arguments that the tool defines, in plain letters.

denials contains "unknown_tool" if not input.tool.known

denials contains "invalid_arguments" if {
	some problem in ["invalid", "missing", "wrong_type"]
	problem in input.arguments.problems
}

denials contains "argument_too_long" if "too_long" in input.arguments.problems

denials contains "argument_too_long" if input.arguments.longest > 4096

denials contains "lookalike_identifier" if "lookalike" in input.arguments.problems

denials contains "smuggled_argument" if "smuggled" in input.arguments.problems

# A secret is not carried out in the arguments of a call.

denials contains "secret_in_arguments" if "secret" in input.arguments.problems

# Look-ups and targets are entities of this incident; protected ones are not touched, and neither is everything at once.

denials contains "out_of_scope" if input.scope.outside > 0

denials contains "protected_asset" if {
	input.tool.risk != "none"
	count(input.protected.hits) > 0
}

denials contains "catch_all_target" if {
	input.tool.risk != "none"
	input.protected.catch_all
}

# The model that answers is one that was approved, by the label in its reply.

denials contains "unapproved_model" if not input.model.approved

# A state is not changed on less evidence than the minimum.

denials contains "insufficient_evidence" if {
	changes
	input.evidence.cited < input.evidence.minimum
}

# A run has so many calls, records and tokens. Tokens that the agent does not report are unknown, not zero.

denials contains "call_budget_exceeded" if input.calls.so_far >= input.calls.limit

denials contains "record_budget_exceeded" if {
	input.records.wanted > 0
	input.records.asked + input.records.wanted > input.records.limit
}

denials contains "token_budget_exceeded" if input.tokens.spent > input.tokens.limit

# The ladder: L1 looks up, L2 writes findings too, L3 proposes, L4 acts once a person agrees, L5 does small things alone.

denials contains "authority_level" if {
	acts
	input.level < 2
}

denials contains "authority_level" if {
	changes
	input.level < 3
}

denials contains "recommendation_only" if {
	changes
	input.level == 3
}

# A person agrees to changes first: at L4 to all but closing, at L5 to those that are not both small and reversible.

holds contains "approval_required" if {
	changes
	not input.tool.closes
	not acts_alone
	input.approval in ["none", "pending"]
}

acts_alone if {
	input.level >= 5
	is_small
}

denials contains "approval_denied" if input.approval == "denied"

denials contains "approval_expired" if input.approval == "expired"
