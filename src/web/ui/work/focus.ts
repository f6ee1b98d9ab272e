/** Gives the focus back to what had it before, where that is still there. Nothing scrolls. */
export function giveFocusBack(before: Element | null): void {
  if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
}

/** `ref` callback that focuses a field when it appears. */
export const focusWhenShown = (field: HTMLElement | null): void => field?.focus()
