const number = new Intl.NumberFormat('en')

/** So many of something: `1 key`, `1,200 keys`. */
export const count = (n: number, name: string, many: string) =>
  `${number.format(n)} ${n === 1 ? name : many}`
