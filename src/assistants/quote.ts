// Quotes an argument for a command line. Double quotes with the same meaning in sh, PowerShell and cmd are preferred, so
// that all get the same text.

/** Quotes for sh and similar shells (bash, zsh). */
export function posixQuoted(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return /["$`\\!%\n]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`
}

/** Quotes for cmd.exe and the C runtime's argument parser: backslashes count only before a quote. */
export function windowsQuoted(text: string): string {
  if (/^[\w@+:./-]+$/.test(text)) return text
  return `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`
}
