import type { Module } from '../../operations/module.ts'
import { addPageComment, listPageComments, resolvePageComment } from './pages/comments.ts'
import { deletePage } from './pages/deletions.ts'
import { pageDocument } from './documents.ts'
import { appendToPage, editPageSection } from './pages/edits.ts'
import { downloadExport, exportPage } from './transfers/exports.ts'
import { importPages } from './transfers/imports.ts'
import { versionsTick, stepsTick } from './live/access-upkeep.ts'
import { addPageStep, readLivePage, savePageText } from './live/endpoints.ts'
import { pageSteps } from './live/feed.ts'
import { createPageFromTemplate } from './templates/instances.ts'
import { movePage } from './pages/moves.ts'
import { createPage, getPage, listPages, updatePage } from './pages/pages.ts'
import { publishedPages } from './publications/public-routes.ts'
import { publishPage, unpublishPage } from './publications/publications.ts'
import { searchPages } from './search.ts'
import { sharePage, unsharePage } from './pages/shares.ts'
import { getPageTree } from './pages/trees.ts'
import { getPageVersion, listPageVersions, restorePageVersion } from './pages/versions.ts'
import { readVersionLines } from './pages/version-lines.ts'
import { searchablePages } from './searchable.ts'
import { pagesPresenters } from './presenters.ts'
import { handovers } from '../directory/shapes.ts'
import { pageHandover } from './handover.ts'

handovers.register(pageHandover)

export const pagesModule: Module = {
  name: 'pages',
  about:
    'Markdown pages in a tree, private or of the organization, with versions, shares, comments and publication. Nouns: page, version, share, comment, publication.',
  operations: [
    listPages,
    getPageTree,
    searchPages,
    getPage,
    createPage,
    updatePage,
    editPageSection,
    appendToPage,
    movePage,
    deletePage,
    listPageVersions,
    getPageVersion,
    restorePageVersion,
    sharePage,
    unsharePage,
    publishPage,
    unpublishPage,
    listPageComments,
    addPageComment,
    resolvePageComment,
    createPageFromTemplate,
    exportPage,
    downloadExport,
    importPages,
  ],
  documents: [pageDocument],
  places: publishedPages,
  endpoints: [readLivePage, addPageStep, savePageText, readVersionLines],
  streams: [pageSteps],
  ticks: [versionsTick, stepsTick],
  events: ['page.shared', 'page.published', 'page.commented'],
  searchables: [searchablePages],
  presenters: pagesPresenters,
}
