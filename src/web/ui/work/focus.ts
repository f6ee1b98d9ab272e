/** Returns the focus to its previous element, if that still exists, without scrolling. */
export function giveFocusBack(before: Element | null): void {
  if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
}

/** `ref` callback that focuses a field when it appears. */
export const focusWhenShown = (field: HTMLElement | null): void => field?.focus()
