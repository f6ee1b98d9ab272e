/**
 * Makes the browser ask before leaving this page with unsent changes: they are on disk, but are sent only while a tab
 * is open. Returns a function that stops it.
 */
export function askBeforeLeaving(hasUnsent: () => boolean): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (hasUnsent()) event.preventDefault()
  }
  window.addEventListener('beforeunload', ask)
  return () => window.removeEventListener('beforeunload', ask)
}
