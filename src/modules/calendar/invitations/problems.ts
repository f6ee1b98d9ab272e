const sentences: Record<string, string> = {
  'the sender is not who it says':
    'The checks of the mail server say that it is not from the address in From.',
  'of an event that cannot be read': 'The event in your calendar cannot be read.',
  'not from the organizer':
    'It was not sent by the organizer of the event, nor by anyone who sends for them (SENT-BY, Reply-To).',
  'of another organizer': 'The event in your calendar has another organizer.',
  'older than what is here': 'Your calendar has a newer version of the event.',
  'the server of the account handles it':
    'The calendar server of the account takes invitations itself.',
  'not asked': 'None of your addresses, and none that it was sent to, is among the attendees.',
  'no such event': 'The event that it is about is not in your calendar.',
  'not from who answers': 'It was not sent by the attendee whose answer it has.',
  old: 'It is older than two months.',
}

/**
 * Reason why a mail's calendar part was not accepted, as a sentence; undefined if it was, or there was nothing to
 * accept.
 */
export function invitationProblem(outcome: string | undefined): string | undefined {
  if (outcome === undefined) return undefined
  const place = /^in (spam|trash)$/.exec(outcome)?.[1]
  if (place !== undefined) return `It is in ${place}: invitations there are not accepted.`
  const reason = /^unreadable: (.*)$/s.exec(outcome)?.[1]
  if (reason !== undefined) return `It cannot be read: ${reason}.`
  if (outcome.startsWith('no method')) return 'It does not state its METHOD.'
  const method = /^([\w-]+): not understood$/.exec(outcome)?.[1]
  if (method !== undefined)
    return `METHOD ${method} is not accepted: only REQUEST, CANCEL and REPLY are.`
  return sentences[outcome]
}
