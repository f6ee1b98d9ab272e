/** Gives the focus back to what had it before, where that is still there. Nothing scrolls. */
export function giveFocusBack(before: Element | null): void {
  if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
}
