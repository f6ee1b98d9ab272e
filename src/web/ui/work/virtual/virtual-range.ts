import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import { useCallback } from 'react'

/** The visible rows plus the focused one; none if it is negative. For `rangeExtractor`. */
export const useRangeWith = (focusedIndex: number) =>
  useCallback(
    (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), focusedIndex])]
        .filter((index) => index >= 0 && index < range.count)
        .sort((a, b) => a - b),
    [focusedIndex],
  )
