// Quotes an argument for a command line. Double quotes with the same meaning in sh, PowerShell and cmd are preferred, so
// that all get the same text.

/** For sh and its kin (bash, zsh). */
export function posixQuoted(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return /["$`\\!%\n]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`
}

/** For cmd.exe, and the C runtime that takes its line apart: backslashes count only in front of a quote. */
export function windowsQuoted(text: string): string {
  if (/^[\w@+:./-]+$/.test(text)) return text
  return `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`
}
