// Local changes of a message that are not on its mail server yet.

/** Flags to set; omitted ones stay. `spam` accompanies a move into or out of spam ($Junk, $NotJunk). */
export interface WantedFlags {
  unread?: boolean
  starred?: boolean
  answered?: boolean
  spam?: boolean
}

/** Labels by local name (keywords: see keywords.ts); `inbox`: whether a Gmail message is to be in the inbox. */
export interface WantedLabels {
  add: string[]
  remove: string[]
  inbox?: boolean
}

/**
 * The target folder of a message, and its location on the server until then: `emails.folder_id` is the target from
 * the change on, and `emails.uid` null until the server reports the new one. Meanwhile the sync identifies the message
 * by `from`. A folder without uid_validity may have to be created first.
 */
export interface WantedMove {
  folder_id: string
  from: { folder_id: string; uid: number } | null
}
