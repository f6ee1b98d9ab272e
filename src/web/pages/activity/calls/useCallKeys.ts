import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import type { ApiCall } from './calls.ts'

interface Of {
  calls: readonly ApiCall[]
  openId: string | undefined
  bring: (index: number) => void
  undo: (call: ApiCall) => void
}

/** j and k move in the log, Enter opens, u undoes, Escape closes. Returns the current call. */
export function useCallKeys({ calls, openId, bring, undo }: Of): string | undefined {
  const [hereId, setHere] = useState<string>()
  const navigate = useNavigate()
  const at = openId ?? hereId
  const focus = useRef<string>(undefined)

  useEffect(() => {
    if (openId !== undefined) setHere(openId)
  }, [openId])
  useFocusOfClosed(openId)
  useEffect(() => {
    if (focus.current === undefined) return
    const link = document.querySelector<HTMLElement>(`[data-call="${focus.current}"]`)
    if (!link) return
    focus.current = undefined
    link.focus({ preventScroll: true })
  })

  const open = (id: string) =>
    void navigate({
      to: `/activity/calls/${id}`,
      search: true,
      replace: openId !== undefined,
      resetScroll: false,
    })
  const move = (by: number) => {
    const index = Math.min(
      calls.length - 1,
      Math.max(0, calls.findIndex((apiCall) => apiCall.id === at) + by),
    )
    const call = calls[index]
    if (!call) return
    focus.current = call.id
    setHere(call.id)
    bring(index)
    if (openId !== undefined) open(call.id)
  }
  const here = calls.find((apiCall) => apiCall.id === at)
  useCommands({
    'activity.next': () => move(1),
    'activity.previous': () => move(-1),
    'activity.undo': here?.undo === 'possible' ? () => undo(here) : undefined,
    'activity.close':
      openId === undefined
        ? undefined
        : () => void navigate({ to: '/activity', search: true, resetScroll: false }),
  })
  return at
}

/** Focuses the row of a call that was closed. */
function useFocusOfClosed(openId: string | undefined): void {
  const wasOpen = useRef<string>(undefined)
  useEffect(() => {
    const closed = openId === undefined ? wasOpen.current : undefined
    wasOpen.current = openId
    if (closed === undefined) return
    const frame = requestAnimationFrame(() =>
      document
        .querySelector<HTMLElement>(`[data-call="${closed}"]`)
        ?.focus({ preventScroll: true }),
    ) // after the page took the focus
    return () => cancelAnimationFrame(frame)
  }, [openId])
}
