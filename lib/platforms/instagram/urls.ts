/** Instagram's URLs: those of Facebook, since accounts are connected through their Facebook Page. */
import { facebookUrls } from '../facebook/urls.ts'

export const instagramUrls = facebookUrls
