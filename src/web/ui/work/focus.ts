/** Gives the focus back to what had it before, where that is still there. Nothing scrolls. */
export function giveFocusBack(before: Element | null): void {
  if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
}

/** As the `ref` of a field: it takes the focus when it appears. */
export const focusWhenShown = (field: HTMLElement | null): void => field?.focus()
