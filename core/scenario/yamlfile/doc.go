// Package yamlfile reads the YAML form of a scenario, strictly: unknown and doubled
// keys, wrong types, values out of range, invisible direction marks and invalid
// UTF-8 are refused. Every message names file, line, column and field, and what is
// allowed; all that can be found is reported, not only the first.
package yamlfile
