/** Reports the desired size of the view in pixels, initially and on each change. */
export function followSize(report: (size: { width: number; height: number }) => void): void {
  let last = ''
  const measure = () => {
    const { scrollWidth } = document.documentElement
    const height = Math.ceil(document.body.getBoundingClientRect().height)
    const size = { width: scrollWidth, height }
    if (JSON.stringify(size) === last) return
    last = JSON.stringify(size)
    report(size)
  }
  new ResizeObserver(measure).observe(document.body)
  measure()
}
