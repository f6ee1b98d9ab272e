import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { ApiCall } from './calls.ts'

interface Of {
  calls: readonly ApiCall[]
  openId: string | undefined
  bring: (index: number) => void
  undo: (call: ApiCall) => void
}

/** j and k move in the log, Enter opens, u undoes, Escape closes. Returns which call one is at. */
export function useCallKeys({ calls, openId, bring, undo }: Of): string | undefined {
  const [hereId, setHere] = useState<string>()
  const navigate = useNavigate()
  const at = openId ?? hereId
  const focus = useRef<string>(undefined)

  const wasOpen = useRef<string>(undefined)
  useEffect(() => {
    if (openId !== undefined) setHere(openId)
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
  useEffect(() => {
    if (focus.current === undefined) return
    const link = document.querySelector<HTMLElement>(`[data-call="${focus.current}"]`)
    if (!link) return
    focus.current = undefined
    link.focus({ preventScroll: true })
  })

  useEffect(() => {
    const open = (id: string) =>
      void navigate({
        to: `/activity/calls/${id}`,
        search: true as never,
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
    const pressed = (event: KeyboardEvent) => {
      if (
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isElsewhere(event.target)
      )
        return
      const call = calls.find((apiCall) => apiCall.id === at)
      if (event.key === 'j') move(1)
      else if (event.key === 'k') move(-1)
      else if (event.key === 'u' && call?.undo === 'possible') undo(call)
      else if (event.key === 'Escape' && openId !== undefined)
        void navigate({ to: '/activity', search: true as never, resetScroll: false })
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [calls, at, openId, bring, undo, navigate])
  return at
}

/** Where somebody types, or answers a dialog. */
function isElsewhere(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
      target.isContentEditable ||
      target.closest('[role=dialog],[role=menu],[role=listbox]') !== null)
  )
}
