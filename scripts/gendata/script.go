package main

import (
	"bytes"
	"fmt"
	"strings"
)

// cents is money; it is written as a DECIMAL literal.
type cents int

const header = `-- Demo database of nl2sql: the tables and keys of the well-known ClassicModels sample.
-- Every row is invented by scripts/gendata; do not edit, run "go run ./scripts/gendata".

SET NAMES utf8mb4;
SET FOREIGN_KEY_CHECKS=0;

`

const footer = "SET FOREIGN_KEY_CHECKS=1;\n"

// ddl of the eight tables: names, types and keys are those of the sample.
var ddl = map[string]string{
	"productlines": `
  ~productLine~ varchar(50) NOT NULL,
  ~textDescription~ varchar(4000) DEFAULT NULL,
  ~htmlDescription~ mediumtext,
  ~image~ mediumblob,
  PRIMARY KEY (~productLine~)`,
	"products": `
  ~productCode~ varchar(15) NOT NULL,
  ~productName~ varchar(70) NOT NULL,
  ~productLine~ varchar(50) NOT NULL,
  ~productScale~ varchar(10) NOT NULL,
  ~productVendor~ varchar(50) NOT NULL,
  ~productDescription~ text NOT NULL,
  ~quantityInStock~ smallint(6) NOT NULL,
  ~buyPrice~ decimal(10,2) NOT NULL,
  ~MSRP~ decimal(10,2) NOT NULL,
  PRIMARY KEY (~productCode~),
  KEY ~productLine~ (~productLine~),
  CONSTRAINT ~products_ibfk_1~ FOREIGN KEY (~productLine~) REFERENCES ~productlines~ (~productLine~)`,
	"offices": `
  ~officeCode~ varchar(10) NOT NULL,
  ~city~ varchar(50) NOT NULL,
  ~phone~ varchar(50) NOT NULL,
  ~addressLine1~ varchar(50) NOT NULL,
  ~addressLine2~ varchar(50) DEFAULT NULL,
  ~state~ varchar(50) DEFAULT NULL,
  ~country~ varchar(50) NOT NULL,
  ~postalCode~ varchar(15) NOT NULL,
  ~territory~ varchar(10) NOT NULL,
  PRIMARY KEY (~officeCode~)`,
	"employees": `
  ~employeeNumber~ int(11) NOT NULL,
  ~lastName~ varchar(50) NOT NULL,
  ~firstName~ varchar(50) NOT NULL,
  ~extension~ varchar(10) NOT NULL,
  ~email~ varchar(100) NOT NULL,
  ~officeCode~ varchar(10) NOT NULL,
  ~reportsTo~ int(11) DEFAULT NULL,
  ~jobTitle~ varchar(50) NOT NULL,
  PRIMARY KEY (~employeeNumber~),
  KEY ~reportsTo~ (~reportsTo~),
  KEY ~officeCode~ (~officeCode~),
  CONSTRAINT ~employees_ibfk_1~ FOREIGN KEY (~reportsTo~) REFERENCES ~employees~ (~employeeNumber~),
  CONSTRAINT ~employees_ibfk_2~ FOREIGN KEY (~officeCode~) REFERENCES ~offices~ (~officeCode~)`,
	"customers": `
  ~customerNumber~ int(11) NOT NULL,
  ~customerName~ varchar(50) NOT NULL,
  ~contactLastName~ varchar(50) NOT NULL,
  ~contactFirstName~ varchar(50) NOT NULL,
  ~phone~ varchar(50) NOT NULL,
  ~addressLine1~ varchar(50) NOT NULL,
  ~addressLine2~ varchar(50) DEFAULT NULL,
  ~city~ varchar(50) NOT NULL,
  ~state~ varchar(50) DEFAULT NULL,
  ~postalCode~ varchar(15) DEFAULT NULL,
  ~country~ varchar(50) NOT NULL,
  ~salesRepEmployeeNumber~ int(11) DEFAULT NULL,
  ~creditLimit~ decimal(10,2) DEFAULT NULL,
  PRIMARY KEY (~customerNumber~),
  KEY ~salesRepEmployeeNumber~ (~salesRepEmployeeNumber~),
  CONSTRAINT ~customers_ibfk_1~ FOREIGN KEY (~salesRepEmployeeNumber~) REFERENCES ~employees~ (~employeeNumber~)`,
	"payments": `
  ~customerNumber~ int(11) NOT NULL,
  ~checkNumber~ varchar(50) NOT NULL,
  ~paymentDate~ date NOT NULL,
  ~amount~ decimal(10,2) NOT NULL,
  PRIMARY KEY (~customerNumber~,~checkNumber~),
  CONSTRAINT ~payments_ibfk_1~ FOREIGN KEY (~customerNumber~) REFERENCES ~customers~ (~customerNumber~)`,
	"orders": `
  ~orderNumber~ int(11) NOT NULL,
  ~orderDate~ date NOT NULL,
  ~requiredDate~ date NOT NULL,
  ~shippedDate~ date DEFAULT NULL,
  ~status~ varchar(15) NOT NULL,
  ~comments~ text,
  ~customerNumber~ int(11) NOT NULL,
  PRIMARY KEY (~orderNumber~),
  KEY ~customerNumber~ (~customerNumber~),
  CONSTRAINT ~orders_ibfk_1~ FOREIGN KEY (~customerNumber~) REFERENCES ~customers~ (~customerNumber~)`,
	"orderdetails": `
  ~orderNumber~ int(11) NOT NULL,
  ~productCode~ varchar(15) NOT NULL,
  ~quantityOrdered~ int(11) NOT NULL,
  ~priceEach~ decimal(10,2) NOT NULL,
  ~orderLineNumber~ smallint(6) NOT NULL,
  PRIMARY KEY (~orderNumber~,~productCode~),
  KEY ~productCode~ (~productCode~),
  CONSTRAINT ~orderdetails_ibfk_1~ FOREIGN KEY (~orderNumber~) REFERENCES ~orders~ (~orderNumber~),
  CONSTRAINT ~orderdetails_ibfk_2~ FOREIGN KEY (~productCode~) REFERENCES ~products~ (~productCode~)`,
}

// table writes one CREATE TABLE and its rows, at most 500 an INSERT.
func table(b *bytes.Buffer, name string, rows [][]any) {
	fmt.Fprintf(b, "DROP TABLE IF EXISTS `%s`;\nCREATE TABLE `%s` (%s\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;\n\n",
		name, name, strings.ReplaceAll(ddl[name], "~", "`"))
	for i, row := range rows {
		if i%500 == 0 {
			fmt.Fprintf(b, "INSERT INTO `%s` VALUES\n", name)
		}
		cells := make([]string, len(row))
		for k, v := range row {
			cells[k] = literal(v)
		}
		end := ","
		if i%500 == 499 || i == len(rows)-1 {
			end = ";"
		}
		fmt.Fprintf(b, "(%s)%s\n", strings.Join(cells, ","), end)
	}
	b.WriteString("\n")
}

func literal(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case string:
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(v) + "'"
	case cents:
		return fmt.Sprintf("%d.%02d", v/100, v%100)
	default:
		return fmt.Sprint(v)
	}
}
