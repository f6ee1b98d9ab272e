// Stores in this browser only whether the person answered an anonymous pulse; it is recorded nowhere else.

const answeredKeyOf = (personId: string, pulseId: string) =>
  `workspace.pulse-answered ${personId} ${pulseId}`

/** Remembers that a person answered a round of an anonymous pulse in this browser; forgets earlier rounds. */
export const rememberAnswered = (personId: string, pulseId: string, roundDay: string): void =>
  localStorage.setItem(answeredKeyOf(personId, pulseId), roundDay)

/** True if a person answered a round of an anonymous pulse in this browser. */
export const isAnsweredHere = (personId: string, pulseId: string, roundDay: string): boolean =>
  localStorage.getItem(answeredKeyOf(personId, pulseId)) === roundDay
