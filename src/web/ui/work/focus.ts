/** Returns the focus to its previous element, if that still exists, without scrolling. */
export function restoreFocus(element: Element | null): void {
  if (element instanceof HTMLElement && element.isConnected) element.focus({ preventScroll: true })
}

/** `ref` callback that focuses a field when it appears. */
export const focusOnMount = (field: HTMLElement | null): void => field?.focus()
