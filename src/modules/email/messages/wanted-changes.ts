// Changes made here to a message that the server of its account does not have yet.

/** Flags as they shall be; what is not named stays as it is. `spam` goes along with a move into or out of spam ($Junk, $NotJunk). */
export interface WantedFlags {
  unread?: boolean
  starred?: boolean
  answered?: boolean
  spam?: boolean
}

/** Labels by their names here (keywords.ts has their keywords); `inbox`: whether a message of a mailbox with labels shall lie in the inbox. */
export interface WantedLabels {
  add: string[]
  remove: string[]
  inbox?: boolean
}

/**
 * The folder where a message shall lie, and where the server has it until then: `emails.folder_id` is the wanted one from the moment of
 * the change on, and `emails.uid` null until the server has told the new one. The sync knows a message by `from` meanwhile. A folder
 * without uid_validity may have to be made first.
 */
export interface WantedMove {
  folder_id: string
  from: { folder_id: string; uid: number } | null
}
