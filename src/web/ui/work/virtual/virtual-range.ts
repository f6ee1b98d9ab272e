import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import { useCallback } from 'react'

/** The rows in sight and always one more, in which the focus is; none where that is negative. For `rangeExtractor`. */
export const useRangeWith = (stop: number) =>
  useCallback(
    (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), stop])]
        .filter((index) => index >= 0 && index < range.count)
        .sort((a, b) => a - b),
    [stop],
  )
