// How an argument is written on a command line. Where double quotes mean the same in sh, PowerShell and cmd, all get the same text.

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
