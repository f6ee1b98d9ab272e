const formatList = (names: readonly string[]) => new Intl.ListFormat('en').format(names)

/** Texts about contacts that may be the same person. */
export const duplicateTexts = {
  title: 'Duplicate contacts',
  about:
    'Contacts that look like the same person. Nothing is merged before you have seen which values are kept.',
  none: 'No contacts look like the same person.',
  reasons: {
    same_email: 'Same email address',
    same_phone: 'Same phone number',
    similar_name_and_company: 'Similar name and same company',
  },
  merge: 'Merge…',
  mergeOf: (names: readonly string[]) => `Merge ${formatList(names)}`,
}
