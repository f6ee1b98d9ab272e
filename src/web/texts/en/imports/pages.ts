import { count } from '../count.ts'

/** Texts of the page import. */
export const pageImport = {
  about:
    'Markdown or HTML; or a zip of them, as Notion, Obsidian and this workspace export it: its folders become the pages above, links between its pages lead to the new ones, and their images come along.',
  place: 'Where they go',
  top: 'At the top level',
  below: (title: string) => `Below ${title}`,
  format: 'Format',
  formats: { '': 'As recognized', markdown: 'Markdown', html: 'HTML', zip: 'Zip' },
  counts: (pages: number, skipped: number) =>
    `${count(pages, 'page', 'pages')} will be made${skipped === 0 ? '' : `, ${count(skipped, 'file', 'files')} left out`}`,
  first: 'The pages that will be made',
  advice:
    'Everything else is imported. What is too large or of another kind can be uploaded to the drive and linked.',
  action: (n: number) => `Import ${count(n, 'page', 'pages')}`,
  done: (n: number) => `${count(n, 'page', 'pages')} imported`,
  open: 'All pages',
}
