// Preloaded before the program of the container, to restrict it to its IAM role.

import { assumeProcessRole } from './role-enforcement.ts'

assumeProcessRole('container')
